// SPDX-License-Identifier: Apache-2.0
#include "report/place.h"

#include <gtest/gtest.h>

#include "example.h"

namespace millrace::report {
namespace {

void expect(const Location& l, const std::string& file, int line, const std::string& scope) {
  EXPECT_EQ(l.file, file);
  EXPECT_EQ(l.line, line);
  EXPECT_EQ(l.scope, scope);
}

TEST(Place, IsAFileAndALineOrAScope) {
  expect(location_of("ring.py:31", ""), "ring.py", 31, "");
  expect(location_of("C:/a b/ring.py:7", ""), "C:/a b/ring.py", 7, "");
  expect(location_of("ep_copy_in/dma_start", ""), "", 0, "ep_copy_in/dma_start");
  for (const char* scope : {"", ":3", "a:", "a:0", "a:-1", "a:3x", "a:99999999999"})
    expect(location_of(scope, ""), "", 0, scope);
}

TEST(Place, OfAScopeIsTheLineAroundIt) {
  expect(location_of("copy/start", "copy/start at pipe.py:12"), "pipe.py", 12, "copy/start");
  expect(location_of("copy/start", "pipeline copy-in of x, emit_pipeline at lesson.py:18"), "lesson.py", 18,
         "copy/start");
  expect(location_of("copy/start", "at pipe.py:3"), "pipe.py", 3, "copy/start");
  expect(location_of("copy/start", "that pipe.py:3"), "", 0, "copy/start");
  expect(location_of("copy/start", "at a place unknown"), "", 0, "copy/start");
}

TEST(Place, InWordsIsWhatIsKnownOfIt) {
  EXPECT_EQ(to_string(location_of("ring.py:31", "get at ring.py:31")), "ring.py:31");
  EXPECT_EQ(to_string(location_of("copy/start", "copy/start at pipe.py:12")), "copy/start at pipe.py:12");
  EXPECT_EQ(to_string(location_of("copy/start", "copy/start")), "copy/start");
}

TEST(Place, TheLaterAccessIsTheOneToLookAt) {
  const std::vector<Spot> spots = spots_of(race());
  ASSERT_EQ(spots.size(), 2u);
  EXPECT_EQ(spots[0].at, "ring.py:31");
  EXPECT_EQ(spots[0].what, "core read");
  EXPECT_EQ(spots[0].nth, "the 3rd time");
  EXPECT_EQ(spots[1].at, "ring.py:24");
}

TEST(Place, OfAMoveOfTheGridsPipelineIsItsStep) {
  Finding f = race();
  f.first = Side{"pipeline write", "", 0, 1, 0, {0, 2}, ""};
  f.second->grid_step = {1};
  const std::vector<Spot> spots = spots_of(f);
  EXPECT_EQ(to_string(spots[1].location), "grid step (0, 2)");
  EXPECT_EQ(spots[1].what, "pipeline write, core 1");
  EXPECT_EQ(spots[1].nth, "");
  EXPECT_EQ(spots[0].nth, "the 3rd time, grid step (1,)");
}

TEST(Place, OfADeadlockIsTheWait) {
  const std::vector<Spot> spots = spots_of(deadlock());
  ASSERT_EQ(spots.size(), 1u);
  EXPECT_EQ(spots[0].location.line, 40);
  EXPECT_EQ(spots[0].what, "core 0 waits on scratch1[0]: has 0, needs 4096");
}

TEST(Place, OfAFindingWithoutSidesIsItsOwn) {
  Finding f;
  f.at = "sum.py:38";
  EXPECT_EQ(spots_of(f).at(0).location.line, 38);
  EXPECT_TRUE(spots_of(Finding()).empty());
}

TEST(Place, OrdinalsAsInEnglish) {
  EXPECT_EQ(ordinal(0), "1st");
  EXPECT_EQ(ordinal(1), "2nd");
  EXPECT_EQ(ordinal(2), "3rd");
  EXPECT_EQ(ordinal(3), "4th");
  EXPECT_EQ(ordinal(9), "10th");
  EXPECT_EQ(ordinal(10), "11th");
  EXPECT_EQ(ordinal(12), "13th");
  EXPECT_EQ(ordinal(20), "21st");
  EXPECT_EQ(ordinal(110), "111th");
}

TEST(Naming, NamesFilesFromTheFolderOfTheRepository) {
  const Naming here{"/repo", ""}, below{"/repo", "kernels"};
  EXPECT_EQ(here.source("ring.py"), "ring.py");
  EXPECT_EQ(below.source("ring.py"), "kernels/ring.py");
  EXPECT_EQ(here.source("/repo/kernels/ring.py"), "kernels/ring.py");
  EXPECT_EQ(below.source("/repo/ring.py"), "ring.py");
  EXPECT_EQ(here.source("/repository/ring.py"), "/repository/ring.py");
  EXPECT_EQ(here.source("/elsewhere/ring.py"), "/elsewhere/ring.py");
  EXPECT_EQ(here.file("./a/../ring.mlir"), "ring.mlir");
  EXPECT_EQ(below.file("ring.mlir"), "ring.mlir");
}

}  // namespace
}  // namespace millrace::report
