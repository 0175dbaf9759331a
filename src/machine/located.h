// SPDX-License-Identifier: Apache-2.0
// Views whose sizes are known before the run, worked out as far as they can be: where one begins is a sum over the
// frame, and what it takes of its memory are runs of bytes that are laid out already. All else about a view (view.h) is
// wanted only where something is wrong. Those who watch are told which elements it takes, unless it was reshaped.
#pragma once

#include <cstdint>
#include <vector>

#include "event/box_copy.h"
#include "machine/nest.h"
#include "machine/view.h"

namespace millrace::machine {

struct Located {
  struct Start {            // along one dimension
    program::Sum at;        // elements
    std::int64_t last = 0;  // the largest that lies within the memory
    std::int64_t stride = 0;
    std::uint8_t dimension = 0;  // of the memory
  };
  bool known = false;  // false: the view must be resolved, and nothing below counts
  std::uint32_t memory = 0;
  std::int64_t first = 0;  // where it begins if all starts are 0. All in bytes; of semaphores, in elements
  std::vector<Start> starts;
  std::vector<std::int64_t> sizes, strides;  // by shown dimension
  std::vector<std::uint8_t> shown;           // the dimensions of the memory that it shows
  bool boxed = false;                        // it is a box of its memory:
  event::Box box;                            // this one, if all starts are 0
  std::int64_t element_bytes = 0, count = 1;

  static constexpr std::int64_t kOutside = -1;
  // Where it begins now; kOutside where it does not lie within its memory, tile padding left out.
  std::int64_t find(const std::uint64_t* frame) const {
    std::int64_t place = first;
    for (const Start& s : starts) {
      const std::int64_t start = evaluate(s.at, frame);
      if (start < 0 || start > s.last) return kOutside;
      place += start * s.stride;
    }
    return place;
  }
  // Also the box, where it is one. Of `found` what counts of a box is written.
  std::int64_t find(const std::uint64_t* frame, event::Box& found) const {
    std::int64_t place = first;
    event::assign(found, box);
    for (const Start& s : starts) {
      const std::int64_t start = evaluate(s.at, frame);
      if (start < 0 || start > s.last) return kOutside;
      place += start * s.stride;
      found.ranges[s.dimension].begin += start, found.ranges[s.dimension].end += start;
    }
    return place;
  }
};

// The view of which find() said that it begins at this byte. Of a box of its memory only.
void view_of(const Located& located, std::int64_t first, Memory& memory, View& view);

struct LocatedAccess {
  Located at;
  Runs runs;               // of a load from the memory to the tile, of a store the other way
  std::int64_t bytes = 0;  // of the tile
  bool dense = false;      // the runs are one
};

struct LocatedDma {
  Located source, target, semaphore;
  Runs runs;
  std::int64_t bytes = 0;  // as a DMA semaphore counts them
  bool known = false;      // all of it
};

struct LocatedWait {
  Located semaphore;
  std::int64_t bytes = 0;
  bool known = false;
};

Located locate(const program::Program& program, const program::ViewPlan& plan);
LocatedAccess locate(const program::Program& program, const program::MemoryAccess& access, bool store);
LocatedDma locate(const program::Program& program, const program::Dma& dma);
LocatedWait locate(const program::Program& program, const program::DmaWait& wait);

}  // namespace millrace::machine
