// SPDX-License-Identifier: Apache-2.0
#include "target/together.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/error.h"

namespace millrace::target {
namespace {

TEST(Together, EveryThreadRunsEachPieceOnce) {
  for (int threads : {1, 2, 5}) {
    Together together(threads);
    EXPECT_EQ(together.threads(), threads);
    std::vector<int> runs(static_cast<std::size_t>(threads), 0);
    for (int round = 1; round <= 300; ++round) {
      together.run([&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      ASSERT_THAT(runs, ::testing::Each(round)) << threads;
    }
  }
}

TEST(Together, TheFirstPieceIsTheCallersOwn) {
  Together together(3);
  std::vector<std::thread::id> ids(3);
  together.run([&](int i) { ids[static_cast<std::size_t>(i)] = std::this_thread::get_id(); });
  EXPECT_EQ(ids[0], std::this_thread::get_id());
  EXPECT_NE(ids[1], ids[0]);
  EXPECT_NE(ids[2], ids[1]);
}

TEST(Together, PartsCoverAllAndOverlapNowhere) {
  for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{10'001}}) {
    for (int threads : {1, 2, 3, 7}) {
      for (std::size_t grain : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
        std::size_t at = 0;
        for (int i = 0; i < threads; ++i) {
          const Part part = part_of(n, i, threads, grain);
          EXPECT_EQ(part.first, at);
          EXPECT_LE(part.first, part.last);
          EXPECT_EQ(part.first % grain, 0u);
          at = part.last;
        }
        EXPECT_EQ(at, n) << threads << " " << grain;
      }
    }
  }
}

TEST(Together, NeedsAThreadAndTheMachineHasACore) {
  EXPECT_THROW(Together(0), Error);
  EXPECT_GE(cores(), 1);
}

}  // namespace
}  // namespace millrace::target
