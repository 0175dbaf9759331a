// SPDX-License-Identifier: Apache-2.0
// A view at one moment of the run: its plan with the numbers filled in and held against the bounds of its memory.
#pragma once

#include <cstdint>

#include "machine/memory.h"
#include "program/view_plan.h"

namespace millrace::machine {

struct View {
  Memory* memory = nullptr;
  Element element = Element::kF32;
  std::int64_t base = 0;                  // where the frame's first element lies in the memory, in its elements
  const std::int64_t* strides = nullptr;  // by dimension: the memory's, or those of a frame
  std::int64_t parts = 1;                 // an element of the view is so many of the memory's, part_stride apart
  std::int64_t part_stride = 0;
  std::int64_t split = 1;  // or: so many elements, neighbours along split_dimension, are one of the memory's
  int split_dimension = 0;
  int rank = 0;                         // of the memory or the frame
  std::int64_t start[event::kMaxRank];  // elements, by dimension of the memory
  std::int64_t size[event::kMaxRank];
  std::int64_t step[event::kMaxRank];    // every step-th element; 1 but for strided loads and stores
  std::int64_t inside[event::kMaxRank];  // how much of size lies inside the array; less only in tile padding
  int shown = 0;                         // the view's own rank
  std::uint8_t dim[event::kMaxRank];     // shown dimension -> dimension of the memory
};

enum class Fit { kInside, kPadding, kOutside };

// The value of a sum in this frame.
inline std::int64_t evaluate(const program::Sum& sum, const std::uint64_t* frame) {
  std::int64_t value = sum.constant;
  for (const auto& term : sum.terms)
    value = term.wide ? program::add_places(value, static_cast<std::int64_t>(frame[term.slot]))
                      : value + static_cast<std::int32_t>(frame[term.slot]);
  return value;
}

// Fills the view in. Tile padding counts as fitting only where `padding` is allowed (DMAs on HBM; clause S2.7).
Fit resolve(const program::ViewPlan& plan, Memory* memory, const std::uint64_t* frame, bool padding, View& out);

// The load or store of a MemoryAccess: the box of its elements inside the view.
Fit resolve(const program::MemoryAccess& access, Memory* memory, const std::uint64_t* frame, View& out);

View whole_of(Memory& memory);
// What a view takes of the memory, in the memory's own coordinates; only the part inside the array. Throws
// Error(kUnsupported) where a reshaped view is too many boxes of its memory.
event::End end_of(const View& view);
std::int64_t elements_of(const View& view);
std::int64_t bytes_of(const View& view);       // as a DMA semaphore counts them
std::int64_t first_element(const View& view);  // of the memory, or the one that holds it
inline std::int64_t part_bytes(const View& v) { return static_cast<std::int64_t>(v.memory->element_bytes) / v.split; }
inline std::int64_t element_bytes(const View& v) { return v.parts * part_bytes(v); }

// The padding tile of a dimension counted from the right: 128 lanes, and up to 8 sublanes (S2.7).
std::int64_t padded_extent(const Memory& memory, int dimension);

}  // namespace millrace::machine
