// SPDX-License-Identifier: Apache-2.0
// A run told by hand: the events of a core that allocates, starts, waits and signals, for tests of single checkers.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"

namespace millrace::test {

class Story {
 public:
  explicit Story(event::Observer& observer) : observer_(observer) {
    std::vector<event::Place> places;
    for (int line = 0; line < 40; ++line)
      places.push_back({"k.py:" + std::to_string(line), "line " + std::to_string(line)});
    observer_.on(event::RunBegan{places});
  }

  event::MemoryId memory(const std::string& name, const Shape& shape = {64}, std::vector<std::string> also = {}) {
    observer_.on(event::RegionAllocated{next_memory_, name, event::MemoryKind::kVmem, DType::f32, false, shape, 0, 0, 0,
                                        false, std::move(also)});
    return next_memory_++;
  }
  event::MemoryId semaphores(const std::string& name, bool bytes = true, const Shape& shape = {}) {
    observer_.on(
        event::RegionAllocated{next_memory_, name, event::MemoryKind::kSemaphore, DType::i32, bytes, shape, 0});
    return next_memory_++;
  }
  void free(event::MemoryId memory) { observer_.on(event::RegionFreed{memory, 0}); }

  event::DmaId start(event::MemoryId from, event::MemoryId to, event::Semaphore raises, std::int64_t bytes,
                     event::PlaceId line, std::int64_t granule = event::kDmaGranule) {
    event::DmaIssued e{next_dma_, {}, {from, rows(0, 8)}, {to, rows(0, 8)}, raises, bytes, {}, line};
    e.granule = granule;
    observer_.on(e);
    return next_dma_++;
  }
  void wait(event::Semaphore s, std::int64_t amount, event::PlaceId line = 30) {
    observer_.on(event::Waited{{}, s, amount, line});
  }
  void signal(event::Semaphore s, std::int64_t amount, event::PlaceId line) {
    observer_.on(event::Signalled{{}, s, amount, line});
  }
  void read(event::Semaphore s, std::int64_t value, event::PlaceId line) {
    observer_.on(event::SemaphoreRead{{}, s, value, line});
  }
  void end() { observer_.on(event::KernelEnded{}); }

  // Windows of a grid.
  void bind(std::uint32_t window, const std::string& name, event::MemoryId array, bool output, bool reload = false,
            const Shape& block = {8}) {
    observer_.on(event::WindowBound{{}, window, name, array, {}, !output, output, reload, block});
  }
  void step(std::vector<std::int64_t> index) { observer_.on(event::StepBegan{{}, index}); }
  void enter(std::uint32_t window, std::uint32_t slot, std::vector<std::int64_t> block) {
    observer_.on(event::WindowEntered{{}, window, slot, std::move(block)});
  }
  void move(std::uint32_t window, std::uint32_t slot, event::MemoryId array, std::vector<std::int64_t> block,
            event::Box box, bool out) {
    event::DmaIssued e{next_dma_++, {}, {array, box}, {array, box}, {90, 0}, 256, {}, 0};
    e.window = event::WindowMove{window, slot, std::move(block), out};
    observer_.on(e);
  }

  static event::Box rows(std::int64_t begin, std::int64_t end) {
    event::Box box;
    box.rank = 1;
    box.ranges[0] = {begin, end, 1};
    return box;
  }

 private:
  event::Observer& observer_;
  event::MemoryId next_memory_ = 0;
  event::DmaId next_dma_ = 0;
};

}  // namespace millrace::test
