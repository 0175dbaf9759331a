// SPDX-License-Identifier: Apache-2.0
#include "report/github.h"

#include <gtest/gtest.h>

#include "example.h"

namespace millrace::report {
namespace {

const Naming kNaming{"/repo", "kernels"};

TEST(GitHub, AnErrorStandsAtItsLineAndNamesTheOther) {
  EXPECT_EQ(
      to_github(checked({race()}), kNaming),
      "::error file=kernels/ring.py,line=31,title=race.read-write in ring::scratch0[1, 0:8] is read while a load may "
      "still be writing it%0Aring.py:24: DMA write%0Ausual mend: one semaphore for each slot\n");
}

TEST(GitHub, AWarningIsOneAndNeedsNoLine) {
  EXPECT_EQ(to_github(checked({warning()}), kNaming),
            "::warning title=target.vmem in ring::too much VMEM: 17 MiB of 16\n");
}

TEST(GitHub, AScopeStandsAtTheLineAroundIt) {
  EXPECT_EQ(to_github(checked({in_scope()}), {}).substr(0, 31), "::error file=pipe.py,line=12,ti");
}

TEST(GitHub, WhatTheRunnerWouldReadIsEscaped) {
  Finding f = race("a,b:c%/x.py:3");
  f.message = "100 % :: one,\r\ntwo", f.hint = "", f.first.reset();
  EXPECT_EQ(to_github(checked({f}), {}),
            "::error file=a%2Cb%3Ac%25/x.py,line=3,title=race.read-write in ring::100 %25 :: one,%0D%0Atwo\n");
}

TEST(GitHub, WhatIsKnownIsNotTold) {
  Checked c = checked({race(), deadlock()});
  c.states = {State::kUnchanged, State::kNew};
  EXPECT_EQ(to_github(c, kNaming).find("race"), std::string::npos);
  EXPECT_NE(to_github(c, kNaming).find("deadlock in ring"), std::string::npos);
  EXPECT_EQ(to_github(checked({}), kNaming), "");
}

}  // namespace
}  // namespace millrace::report
