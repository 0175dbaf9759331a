// SPDX-License-Identifier: Apache-2.0
// What a tile choice costs, counted from the configuration alone: nothing here runs, and nothing here is measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/extent.h"

namespace millrace::plan {

// An elementwise kernel of two inputs and one output, each moved through a window of `slots` blocks.
struct Buffers {
  std::int64_t input_slots = 2;   // of each of the two inputs
  std::int64_t output_slots = 2;  // of the output
  std::int64_t bytes_per_element = 4;
};

struct TilePlan {
  Extent shape;  // of the logical matrix
  Extent block;
  Extent padded;                     // the shape, rounded up to whole blocks
  std::int64_t programs = 0;         // blocks in the padded matrix, one program each
  std::int64_t elements = 0;         // of the logical matrix
  std::int64_t padded_elements = 0;  // programs * elements of a block
  Buffers buffers;
  std::int64_t modeled_bytes = 0;  // (2 * input slots + output slots) * block elements * bytes per element
};

// Error(kUser) for an extent or a slot count below 1, and where a figure would exceed 2^62.
TilePlan plan_tiles(Extent shape, Extent block, Buffers buffers = {});

// A ratio of two counts in lowest terms.
struct Ratio {
  std::int64_t numerator = 0, denominator = 1;
  friend bool operator==(const Ratio&, const Ratio&) = default;
};

Ratio bytes_ratio(const TilePlan& plan, const TilePlan& baseline);  // modeled bytes, plan / baseline
std::string to_string(Ratio ratio);                                 // "4/3"

// The memory costs that modeled_bytes says nothing about, in the order in which they are told.
const std::vector<std::string>& left_out_of_the_model();

}  // namespace millrace::plan
