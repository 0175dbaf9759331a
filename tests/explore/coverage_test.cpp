// SPDX-License-Identifier: Apache-2.0
// What is said of an exploration, and what it must not say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/coverage.h"
#include "sketch.h"

namespace millrace::test {
namespace {

using explore::Coverage;
using explore::Facts;
using testing::ElementsAre;
using testing::HasSubstr;

const Touch kBuffer{1, 0, 4, 1}, kArray{0, 0, 4, 1};

// One copy, read before or after it is awaited.
Sketch copied(bool racy) {
  std::vector<Act> acts = {start(kArray, kBuffer, 0, 64), wait(0, 64), read(kBuffer)};
  if (racy) std::swap(acts[1], acts[2]);
  return {{acts}, {true}};
}

Coverage covered(const Sketch& sketch, const Facts& facts, const explore::Options& options = {}) {
  explore::Skeleton skeleton = skeleton_of(sketch);
  skeleton.memories = {"in0", "scratch0"};
  return explore::coverage(skeleton, explore::explore(skeleton, options), facts);
}

TEST(Coverage, OfACleanKernelIsOneOfOne) {
  const Coverage c = covered(copied(false), {{"in0"}});
  EXPECT_EQ(c.classes, 1u);
  EXPECT_EQ(c.explored, 1u);
  EXPECT_TRUE(c.complete);
  EXPECT_EQ(c.for_what, "these inputs");
  EXPECT_THAT(c.control_depends_on, ElementsAre("in0"));
}

TEST(Coverage, IsForAllInputsWhereNothingSteersControl) { EXPECT_EQ(covered(copied(true), {}).for_what, "all inputs"); }

TEST(Coverage, IsCompleteWhereARaceCannotReachWhatSteersControl) {
  const Coverage c = covered(copied(true), {{"in0"}});
  EXPECT_EQ(c.classes, 2u);
  EXPECT_TRUE(c.complete);
}

TEST(Coverage, IsNotCompleteWhereControlReadsWhatARaceMayChange) {
  const Coverage c = covered(copied(true), {{"scratch0"}});
  EXPECT_FALSE(c.complete);
  EXPECT_THAT(c.why, HasSubstr("control depends on scratch0"));
  EXPECT_TRUE(covered(copied(false), {{"scratch0"}}).complete);  // no race, so every run reads the same
}

TEST(Coverage, IsNotCompleteWhereASemaphoreIsReadOrTheBoundWasReached) {
  EXPECT_FALSE(covered(copied(false), {{}, true}).complete);
  explore::Options options;
  options.max_classes = 1;
  const Coverage c = covered(copied(true), {}, options);
  EXPECT_FALSE(c.complete);
  EXPECT_EQ(c.explored, 1u);
  EXPECT_EQ(c.why, "stopped after 1 classes");
}

TEST(Coverage, NamesTheOrderOfParallelAxes) {
  EXPECT_EQ(covered(copied(false), {{}, false, true}).for_what, "all inputs, with the parallel axes in this order");
}

}  // namespace
}  // namespace millrace::test
