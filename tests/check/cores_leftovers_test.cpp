// SPDX-License-Identifier: Apache-2.0
// What is left over of copies that several cores send to one: the same whichever came first in the run watched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "check/leftovers.h"

namespace millrace::test {
namespace {

using checkers::Leftovers;
using testing::ElementsAre;
using testing::IsEmpty;

// Cores 1 and 2 send 64 bytes each to core 0, which waits for 64 bytes, `waits` times. `order`: a digit for each start
// of that core, w for a wait.
std::vector<std::string> left_over(const std::string& order) {
  Leftovers checker;
  std::vector<event::Place> places;
  for (int line = 0; line < 9; ++line) places.push_back({"k.py:" + std::to_string(line), "line"});
  checker.on(event::RunBegan{places, 1, 3});
  const auto allocate = [&](event::MemoryId id, const char* name, event::MemoryKind kind, int core) {
    checker.on(event::RegionAllocated{id, name, kind, DType::f32, true, {}, 0, 0, core});
  };
  allocate(0, "in0", event::MemoryKind::kHbm, event::kShared);
  allocate(1, "scratch0", event::MemoryKind::kVmem, 0);
  allocate(2, "scratch1", event::MemoryKind::kSemaphore, 0);
  event::DmaId next = 0;
  for (const char c : order) {
    if (c == 'w') {
      checker.on(event::Waited{{0, 0, {}}, {2, 0}, 64, 8});
      continue;
    }
    const event::End from{0, {}}, to{1, {}};
    const auto line = static_cast<event::PlaceId>(c - '0');
    checker.on(event::DmaIssued{next++, {0, c - '0', {}}, from, to, {2, 0}, 64, {}, line});
  }
  checker.on(event::KernelEnded{});
  std::vector<std::string> told;
  for (const Finding& f : checker.findings())
    told.push_back(f.id + " " + (f.first ? f.first->at + " of core " + std::to_string(f.first->core) : f.at) + " " +
                   f.schedules);
  return told;
}

TEST(CoresLeftovers, OneWaitForTheCopiesOfTwoCoresProvesNeither) {
  for (const char* order : {"1w2", "2w1", "12w", "21w"})
    EXPECT_THAT(left_over(order),
                ElementsAre("leftover.dma k.py:1 of core 1 some", "leftover.dma k.py:2 of core 2 some"))
        << order;
}

TEST(CoresLeftovers, AWaitForEachLeavesNothing) {
  for (const char* order : {"1w2w", "2w1w", "12ww", "21ww"}) EXPECT_THAT(left_over(order), IsEmpty()) << order;
}

TEST(CoresLeftovers, WithoutAWaitBothAreLeftInAllSchedules) {
  for (const char* order : {"12", "21"})
    EXPECT_THAT(left_over(order), ElementsAre("leftover.dma k.py:1 of core 1 all", "leftover.dma k.py:2 of core 2 all"))
        << order;
}

}  // namespace
}  // namespace millrace::test
