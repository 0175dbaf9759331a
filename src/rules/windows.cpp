// SPDX-License-Identifier: Apache-2.0
// Block shapes: the last two dimensions of a window cut whole tiles of its array, or take all of it.
#include <fmt/format.h>

#include <algorithm>

#include "rules/judge.h"

namespace millrace::rules {

namespace {

using mosaic::MemorySpace;

constexpr std::int64_t kRows = 8, kLanes = 128;

bool power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// What is wrong with a block of a vector; empty where nothing is.
std::string wrong_vector(mosaic::Element element, std::int64_t block, std::int64_t array) {
  const std::int64_t least = kLanes * 32 / bits_of(element);
  if (block == array || block % 1024 == 0 || (power_of_two(block) && block >= least)) return "";
  return fmt::format("its block of {} is not all of the array's {}, no multiple of 1024 and no power of two from {} on",
                     block, array, least);
}

std::string wrong_tile(const std::vector<std::int64_t>& block, const Shape& array) {
  const std::size_t rank = block.size();
  for (const auto& [behind, unit] : {std::pair<std::size_t, std::int64_t>{2, kRows}, {1, kLanes}}) {
    const std::size_t d = rank - behind;
    if (block[d] % unit != 0 && block[d] != array[d])
      return fmt::format("dimension {} of its block is {}; take a multiple of {}, or all {} of the array", d, block[d],
                         unit, array[d]);
  }
  return "";
}

// What a window may say of itself and the compiler of libtpu 0.0.37 does not know.
void judge_kind(Judge& judge, const Argument& a) {
  if (!a.window || !a.operand) return;
  const auto* kind = mosaic::as_dialect(a.window->find("window_kind"));
  if (kind && !kind->lists.empty() && std::ranges::any_of(kind->lists[0], [](std::int64_t n) { return n != 0; }))
    judge.report(judge.kernel().location, "target.block-shape", a.operand->name,
                 fmt::format("{}: an element window with padding at its low end has no code", a.operand->name),
                 "pad at the high end, or pad the array");
  const auto* revisit = mosaic::as_dialect(a.window->find("revisit_mode"));
  if (revisit && std::ranges::find(revisit->keywords, "any") != revisit->keywords.end())
    judge.report(judge.kernel().location, "target.operation", a.operand->name,
                 fmt::format("{}: the compiler does not know revisit_mode", a.operand->name),
                 "visit the steps of a block one after the other");
}

}  // namespace

void judge_windows(Judge& judge) {
  for (const Argument& a : judge.arguments()) {
    judge_kind(judge, a);
    const auto* block = a.window ? mosaic::as_integers(a.window->find("window_bounds")) : nullptr;
    if (!a.operand || !block || block->empty() || a.type->space != MemorySpace::kVmem) continue;
    const Operand& operand = *a.operand;
    if (block->size() != operand.shape.size()) continue;
    const std::string wrong = block->size() == 1 ? wrong_vector(a.type->element, block->front(), operand.shape.front())
                                                 : wrong_tile(*block, operand.shape);
    if (!wrong.empty())
      judge.report(judge.kernel().location, "target.block-shape", operand.name,
                   fmt::format("{}: {}", operand.name, wrong),
                   "round the block up to whole tiles; what sticks out of the array is undefined and dropped");
  }
}

}  // namespace millrace::rules
