// SPDX-License-Identifier: Apache-2.0
// Warnings about DMA semaphores that are used as plain counts, each beside the use that is right.
#include "check/semaphore_units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "story.h"

namespace millrace::test {
namespace {

using checkers::SemaphoreUnits;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Scene {
  SemaphoreUnits observer;
  Story story{observer};
  event::MemoryId in = story.memory("in0"), buffer = story.memory("scratch0");
  event::MemoryId bytes = story.semaphores("scratch1", true, {2}), counts = story.semaphores("scratch2", false);
};

TEST(SemaphoreUnits, APlainSignalBesideBytesIsAWarningWhicheverComesFirst) {
  for (const bool signal_first : {true, false}) {
    Scene s;
    if (signal_first) s.story.signal({s.bytes, 0}, 32, 4);
    s.story.start(s.in, s.buffer, {s.bytes, 0}, 4096, 3);
    if (!signal_first) s.story.signal({s.bytes, 0}, 32, 4);
    s.story.signal({s.bytes, 0}, 32, 4);
    const auto found = s.observer.findings();
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_EQ(found[0].id, "target.semaphore");
    EXPECT_EQ(found[0].severity, Severity::kWarning);
    EXPECT_EQ(found[0].semaphore, "scratch1");
    EXPECT_EQ(found[0].at, "k.py:4");
    EXPECT_THAT(found[0].message, HasSubstr("line 4 signals scratch1"));
  }
}

TEST(SemaphoreUnits, SignalsAloneBytesAloneAndRegularSemaphoresAreNone) {
  Scene s;
  s.story.signal({s.bytes, 0}, 32, 4);
  s.story.start(s.in, s.buffer, {s.bytes, 1}, 4096, 3);  // another element
  s.story.start(s.in, s.buffer, {s.counts, 0}, 1, 3);
  s.story.signal({s.counts, 0}, 1, 5);
  s.story.read({s.counts, 0}, 2, 6);
  EXPECT_THAT(s.observer.findings(), IsEmpty());
}

TEST(SemaphoreUnits, AReadOfADmaSemaphoreIsAWarning) {
  Scene s;
  s.story.read({s.bytes, 1}, 0, 6);
  s.story.read({s.bytes, 1}, 64, 6);
  const auto found = s.observer.findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].message, HasSubstr("line 6 reads scratch1"));
}

}  // namespace
}  // namespace millrace::test
