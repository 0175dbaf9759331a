// SPDX-License-Identifier: Apache-2.0
// A view of a memory, worked out as far as it can be before the run. Slices and squeezes leave no instruction behind:
// whoever uses a view adds up its starts from the frame at that moment, which SSA allows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "mosaic/ir.h"
#include "program/instruction.h"

namespace millrace::program {

// A place that is a 64-bit number of the kernel's may lie anywhere: sums of places stop at this distance, outside any
// memory and far from where 64 bits end.
inline constexpr std::int64_t kFarOutside = std::int64_t{1} << 60;
inline std::int64_t add_places(std::int64_t a, std::int64_t b) {
  return std::clamp(std::clamp(a, -kFarOutside, kFarOutside) + std::clamp(b, -kFarOutside, kFarOutside), -kFarOutside,
                    kFarOutside);
}

// constant + the sum of scalars in the frame, by add_places.
struct Sum {
  struct Term {
    Slot slot;
    bool wide;  // index (64 bits) rather than i32
  };
  std::int64_t constant = 0;
  std::vector<Term> terms;
};

// One dimension of the memory that the view looks into.
struct ViewDim {
  std::int64_t extent = 0;  // of the memory, elements
  Sum start;                // elements
  std::int64_t size = 0;    // elements; where size_slot is set, the value of that i32 counts instead
  Slot size_slot = kNoSlot;
};

struct Frame;

struct ViewPlan {
  std::uint32_t memory = 0;  // memory slot
  mosaic::Element element = mosaic::Element::kF32;
  std::vector<ViewDim> dims;        // by dimension of the memory, or of the frame
  std::vector<std::uint8_t> shown;  // the dimensions that the view still shows, in order; the others are squeezed
  std::shared_ptr<const Frame> frame = {};  // where the view was reshaped or cast
};

// Coordinates of their own, which tpu.memref_reshape and tpu.memref_bitcast give to a view: steps through the memory
// from where that view begins. All strides are in elements of the memory.
struct Frame {
  ViewPlan of;                        // the view before
  std::vector<std::int64_t> strides;  // by dimension of the frame
  std::int64_t parts = 1;             // an element of the view is so many of the memory's, the first in its low bits,
  std::int64_t part_stride = 0;       // and so far apart
  std::int64_t split = 1;             // or: so many elements of the view, rows of it, are one of the memory's,
  std::uint8_t split_dimension = 0;   // the first in its low bits, along this dimension of the frame
  int depth = 1;                      // casts of casts
};

}  // namespace millrace::program
