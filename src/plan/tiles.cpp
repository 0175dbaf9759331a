// SPDX-License-Identifier: Apache-2.0
#include "plan/tiles.h"

#include <fmt/format.h>

#include <numeric>
#include <string_view>

#include "millrace/error.h"

namespace millrace::plan {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

[[noreturn]] void refuse_size(std::string_view what) {
  throw Error(ErrorCode::kUser, fmt::format("{} would exceed 2^62; take a smaller shape or block", what));
}

std::int64_t product(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result) || result > kLargest) refuse_size(what);
  return result;
}

std::int64_t sum(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result) || result > kLargest) refuse_size(what);
  return result;
}

std::int64_t blocks_over(std::int64_t extent, std::int64_t block) { return extent / block + (extent % block != 0); }

void require_extent(Extent extent, std::string_view what) {
  if (extent.rows >= 1 && extent.columns >= 1) return;
  throw Error(ErrorCode::kUser, fmt::format("{} {} must have at least 1 row and 1 column", what, to_string(extent)));
}

void require_count(std::int64_t count, std::string_view what) {
  if (count >= 1) return;
  throw Error(ErrorCode::kUser, fmt::format("{} must be at least 1, not {}", what, count));
}

}  // namespace

TilePlan plan_tiles(Extent shape, Extent block, Buffers buffers) {
  require_extent(shape, "shape");
  require_extent(block, "block");
  require_count(buffers.input_slots, "input slots");
  require_count(buffers.output_slots, "output slots");
  require_count(buffers.bytes_per_element, "bytes per element");

  TilePlan plan{.shape = shape, .block = block, .padded = {}, .buffers = buffers};
  const std::int64_t down = blocks_over(shape.rows, block.rows);
  const std::int64_t across = blocks_over(shape.columns, block.columns);
  plan.programs = product(down, across, "the number of programs");
  plan.padded = {product(down, block.rows, "the padded rows"), product(across, block.columns, "the padded columns")};
  plan.elements = product(shape.rows, shape.columns, "the number of elements");
  plan.padded_elements = product(plan.padded.rows, plan.padded.columns, "the number of padded elements");

  const std::string_view bytes = "the modeled bytes";
  const std::int64_t slots = sum(product(2, buffers.input_slots, bytes), buffers.output_slots, bytes);
  const std::int64_t block_elements = product(block.rows, block.columns, bytes);
  plan.modeled_bytes = product(product(slots, block_elements, bytes), buffers.bytes_per_element, bytes);
  return plan;
}

Ratio bytes_ratio(const TilePlan& plan, const TilePlan& baseline) {
  const std::int64_t common = std::gcd(plan.modeled_bytes, baseline.modeled_bytes);
  return {plan.modeled_bytes / common, baseline.modeled_bytes / common};
}

std::string to_string(Ratio ratio) { return fmt::format("{}/{}", ratio.numerator, ratio.denominator); }

const std::vector<std::string>& left_out_of_the_model() {
  static const std::vector<std::string> kLeftOut = {"semaphores", "runtime bookkeeping", "layout padding of the target",
                                                    "registers", "compiler scratch"};
  return kLeftOut;
}

}  // namespace millrace::plan
