// SPDX-License-Identifier: Apache-2.0
// Where a slice, a load or a store may begin and end in a tiled memory. A memory of one column of tiles of 32-bit
// elements is as good as untiled along its rows.
#include <fmt/format.h>

#include <algorithm>

#include "rules/judge.h"

namespace millrace::rules {

namespace {

using mosaic::Op;
using mosaic::Type;
using mosaic::ValueId;

constexpr const char* kAlign =
    "begin and end at whole tiles, and say so with pl.multiple_of where the start is computed";

// The unit in which dimension d of a view of this rank is cut; 1 where any cut will do.
std::int64_t unit(const View& view, mosaic::Element element, std::size_t rank, std::size_t d) {
  if (!view.known) return 1;
  if (rank == 1) return d == 0 ? view.tile.lanes : 1;
  if (d + 1 == rank) return view.tile.lanes;
  if (d + 2 == rank) return view.one_column && bits_of(element) == 32 ? 1 : view.tile.rows;
  return 1;
}

// Where any dimension is cut, each tiled one must be of whole tiles, those that are not cut as well.
void judge_slice(Judge& judge, const Op& op) {
  const Type &from = judge.type_of(op.operands[0]), &to = judge.type_of(op.results[0]);
  const View& view = judge.view_of(op.operands[0]);
  const std::size_t rank = from.shape.size();
  if (!view.known || from.shape == to.shape || to.shape.size() != rank) return;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t u = unit(view, from.element, rank, d);
    if (u == 1) continue;
    if (to.shape[d] != mosaic::kDynamic && to.shape[d] % u != 0)
      judge.report(op.location, "target.alignment", view.memory,
                   fmt::format("a slice of {} takes {} along dimension {}, which is laid out in tiles of {}",
                               view.memory, to.shape[d], d, u),
                   kAlign);
    if (to.shape[d] != from.shape[d] && !judge.values().divisible(op.operands[1 + d], u))
      judge.report(
          op.location, "target.alignment", view.memory,
          fmt::format("a slice of {} begins where nothing proves a multiple of {} along dimension {}, which is "
                      "laid out in tiles of {}",
                      view.memory, u, d, u),
          kAlign);
  }
}

void judge_access(Judge& judge, const Op& op, ValueId ref, std::size_t first, const Type& value) {
  const Type& type = judge.type_of(ref);
  const View& view = judge.view_of(ref);
  const std::size_t rank = type.shape.size();
  if (!view.known || rank < 2 || value.kind != Type::Kind::kVector || value.shape.size() != rank) return;
  // Whole rows of words: one of them may begin anywhere, and where a row is one tile wide so may several.
  const bool words = bits_of(type.element) == 32;
  const bool free_row =
      words && (view.one_column || (value.shape[rank - 2] == 1 && value.shape.back() == type.shape.back()));
  for (std::size_t d = rank - 2; d < rank; ++d) {
    const ValueId index = op.operands[first + d];
    const bool lanes = d + 1 == rank;
    const std::int64_t u = lanes ? view.tile.lanes : std::min<std::int64_t>(view.tile.rows, 8);
    if (judge.values().constant(index) || (!lanes && free_row)) continue;
    if (judge.values().divisible(index, u)) continue;
    judge.report(op.location, "target.alignment", view.memory,
                 fmt::format("{} is accessed from an index along dimension {} that nothing proves a multiple of {}",
                             view.memory, d, u),
                 kAlign);
  }
}

// Vectors lie in VMEM, scalars in SMEM.
void judge_space(Judge& judge, const Op& op, ValueId ref, const Type& value) {
  using mosaic::MemorySpace;
  const MemorySpace space = judge.type_of(ref).space;
  const bool scalar = value.kind == Type::Kind::kScalar;
  if (scalar ? space == MemorySpace::kSmem : space == MemorySpace::kVmem) return;
  judge.report(op.location, "target.memory-space", judge.view_of(ref).memory,
               fmt::format("{} is not in {}, where {} are loaded and stored", judge.view_of(ref).memory,
                           scalar ? "SMEM" : "VMEM", scalar ? "scalars" : "vectors"),
               scalar ? "keep scalars in SMEM" : "copy the tile to VMEM first");
}

bool is_load(std::string_view name) {
  return name == "vector.load" || name == "tpu.vector_load" || name == "tpu.strided_load" || name == "memref.load";
}

bool is_store(std::string_view name) {
  return name == "vector.store" || name == "tpu.vector_store" || name == "tpu.strided_store" || name == "memref.store";
}

}  // namespace

void judge_views(Judge& judge) {
  judge.each([&](const Op& op) {
    if (op.name == "tpu.memref_slice") judge_slice(judge, op);
    const bool load = is_load(op.name);
    if (!load && !is_store(op.name)) return;
    const ValueId ref = load ? op.operands[0] : op.operands[1];
    const Type& value = judge.type_of(load ? op.results[0] : op.operands[0]);
    judge_space(judge, op, ref, value);
    judge_access(judge, op, ref, load ? 1 : 2, value);
  });
}

}  // namespace millrace::rules
