// SPDX-License-Identifier: Apache-2.0
#include "rules/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "millrace/error.h"
#include "mosaic/tiling.h"
#include "program/places.h"
#include "program/scopes.h"

namespace millrace::rules {

using mosaic::Element;
using mosaic::MemorySpace;
using mosaic::Op;
using mosaic::Type;

namespace {

constexpr std::int64_t kLanes = 128;

const mosaic::Function& kernel_of(const mosaic::Module& module) {
  const mosaic::Function* kernel = module.kernel();
  if (!kernel)
    throw Error(ErrorCode::kUser, "the module has no kernel: no function is named main or marked by tpu.core_type");
  return *kernel;
}

std::int64_t up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

std::int64_t rows_of(Element element, std::int64_t rows) {
  return mosaic::tile_rows(std::max(1, 32 / bits_of(element)), rows);
}

std::size_t count(const mosaic::Function& kernel, std::string_view name) {
  const std::int64_t* n = mosaic::as_integer(kernel.find(name));
  return n ? static_cast<std::size_t>(*n) : 0;
}

std::string_view clause_of(std::string_view id) {
  if (id == "target.block-shape") return "T1.1";
  if (id == "target.alignment") return "T1.2";
  if (id == "target.memory-space") return "T1.3";
  return id == "target.operation" || id == "target.type" ? "T1.4" : "T1.5";
}

}  // namespace

int bits_of(Element element) {
  switch (element) {
    case Element::kF64:
    case Element::kI64: return 64;
    case Element::kF16:
    case Element::kBF16:
    case Element::kI16: return 16;
    case Element::kF8E5M2:
    case Element::kF8E4M3FN:
    case Element::kF8E4M3B11FNUZ:
    case Element::kI8: return 8;
    case Element::kI4: return 4;
    case Element::kI2: return 2;
    default: return 32;  // i1 lies as i32 in memory; a semaphore takes four bytes
  }
}

Tile tile_of(Element element, const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return {1, 1};
  if (shape.size() == 1) return {1, rows_of(element, up(shape[0], kLanes) / kLanes) * kLanes};
  return {rows_of(element, shape[shape.size() - 2]), kLanes};
}

Tile scratch_tile_of(Element element, const std::vector<std::int64_t>& shape, const plan::Chip& chip) {
  Tile tile = tile_of(element, shape);
  const int bits = bits_of(element), least = chip.generation >= 6 ? 16 : 8;
  if (shape.size() < 2 || bits > least) return tile;
  const std::int64_t large = 8 * 32 / bits, rows = shape[shape.size() - 2];
  if (rows > 0 && rows % large == 0) tile.rows = large;
  return tile;
}

std::int64_t padded_bytes(const Type& type) {
  const Tile tile = tile_of(type.element, type.shape);
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < type.shape.size(); ++d) {
    const std::size_t behind = type.shape.size() - 1 - d;
    const std::int64_t n = std::max<std::int64_t>(type.shape[d], 0);
    const std::int64_t whole = behind == 0 ? up(n, tile.lanes) : behind == 1 ? up(n, tile.rows) : n;
    if (__builtin_mul_overflow(elements, whole, &elements)) return std::numeric_limits<std::int64_t>::max() / 64;
  }
  return std::min(elements, std::numeric_limits<std::int64_t>::max() / 64) * bits_of(type.element) / 8;
}

Judge::Judge(const Question& question)
    : question_(question),
      kernel_(kernel_of(question.module)),
      values_(kernel_),
      places_(program::places_of(question.module)),
      views_(kernel_.values.size()),
      used_(kernel_.values.size(), false) {
  read_arguments();
  for (const program::Scoped& s : program::scoped_of(kernel_)) scoped_.emplace(s.value, known_as(name_of(s)));
  each([&](const Op& op) {
    for (mosaic::ValueId v : op.operands) used_[v] = true;
    follow(op);
  });
}

View Judge::whole(std::string name, const Type& type, bool operand) const {
  const bool tiled = type.kind == Type::Kind::kMemref && type.space != MemorySpace::kSmem &&
                     type.space != MemorySpace::kSemaphore && !type.shape.empty();
  const bool own = !operand && type.space == MemorySpace::kVmem;
  const Tile tile = own ? scratch_tile_of(type.element, type.shape, chip()) : tile_of(type.element, type.shape);
  return {std::move(name), tile, tiled && type.shape.size() > 1 && type.shape.back() <= tile.lanes, tiled};
}

std::string Judge::known_as(std::string name) const {
  const auto better = question_.names.find(name);
  return better == question_.names.end() ? name : better->second;
}

// After the grid's indices: prefetch, inputs and outputs, which have a window each, then scratch.
void Judge::read_arguments() {
  const auto& arguments = kernel_.body.arguments;
  const auto* bounds = mosaic::as_integers(kernel_.find("iteration_bounds"));
  const auto* windows = kernel_.find("window_params");
  const auto* params = windows ? std::get_if<mosaic::ArrayAttr>(&windows->value) : nullptr;
  const std::size_t axes = bounds ? bounds->size() : 0, prefetch = count(kernel_, "scalar_prefetch");
  const std::size_t scratch = count(kernel_, "scratch_operands");
  for (std::size_t i = axes; i < arguments.size(); ++i) {
    const std::size_t n = i - axes;
    const bool is_scratch = i + scratch >= arguments.size();
    Argument a{&type_of(arguments[i]), nullptr, nullptr, "", is_scratch};
    if (!is_scratch && n < question_.operands.size()) a.operand = &question_.operands[n];
    if (params && n >= prefetch && n - prefetch < params->values.size())
      a.window = std::get_if<mosaic::DictionaryAttr>(&params->values[n - prefetch].value);
    a.name = is_scratch  ? known_as(fmt::format("scratch{}", i + scratch - arguments.size()))
             : a.operand ? a.operand->name
                         : fmt::format("operand {}", n);
    views_[arguments[i]] = whole(a.name, *a.type, !is_scratch);
    arguments_.push_back(std::move(a));
  }
}

// Views of views: what a slice, a squeeze or a cast leaves of the layout.
void Judge::follow(const Op& op) {
  if (op.results.size() != 1 || type_of(op.results[0]).kind != Type::Kind::kMemref) return;
  View& result = views_[op.results[0]];
  const Type& type = type_of(op.results[0]);
  if (const auto scoped = scoped_.find(op.results[0]); scoped != scoped_.end()) {
    result = whole(scoped->second, type, false);
    return;
  }
  if (op.operands.empty()) return;
  result = views_[op.operands[0]];
  if (op.name == "tpu.memref_slice") return;
  if (op.name == "tpu.memref_squeeze") {
    const auto& from = type_of(op.operands[0]).shape;
    const auto& to = type.shape;
    result.known &= from.size() > 1 && to.size() > 1 && std::equal(from.end() - 2, from.end(), to.end() - 2);
    return;
  }
  result.known = false;
}

void Judge::report(mosaic::LocationId at, std::string_view id, const std::string& memory, std::string message,
                   std::string hint) {
  if (!said_.emplace(id, at, memory).second) return;
  const event::Place& place = places_[at];
  Finding f;
  f.id = id;
  f.severity = Severity::kWarning;
  f.memory = memory;
  f.at = place.at;
  f.message = place.where == program::kUnknownPlace ? std::move(message) : fmt::format("{}: {}", place.where, message);
  f.hint = std::move(hint);
  f.clause = clause_of(id);
  findings_.push_back(std::move(f));
}

std::vector<Finding> check_rules(const Question& question) {
  Judge judge(question);
  judge_windows(judge);
  judge_views(judge);
  judge_operations(judge);
  judge_budgets(judge);
  return std::move(judge).findings();
}

}  // namespace millrace::rules
