// SPDX-License-Identifier: Apache-2.0
// No figure is published for a run whose numbers are wrong.
#include "bench/compared.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace millrace::bench {
namespace {

Array with_one_changed(Array a, double by) {
  float& v = a.as<float>()[static_cast<std::size_t>(a.size() / 3)];
  v += static_cast<float>(by);
  return a;
}

TEST(Compared, TheNativeLoopsAndTheSimulatorAgree) {
  for (const Workload& w : {pipelined_axpy(32), blocked_matmul(), flash_attention()}) {
    EXPECT_NO_THROW(require_agreement(w)) << w.name;
    EXPECT_EQ(w.simulated().shape(), w.native().shape()) << w.name;
  }
}

TEST(Compared, OneWrongElementIsSeen) {
  for (Workload w : {pipelined_axpy(32), blocked_matmul(), flash_attention()}) {
    w.native = [right = w.native] { return with_one_changed(right(), 0.1); };
    EXPECT_THROW(require_agreement(w), Error) << w.name;
    EXPECT_THROW(against_native(w), Error) << w.name;
  }
}

TEST(Compared, ANanIsAnyDistanceAway) {
  const Array a = Array::full(f32, {4}, 1);
  Array b = a;
  EXPECT_EQ(distance(a, b), 0);
  b.as<float>()[1] = 2;
  EXPECT_EQ(distance(a, b), 0.5);
  Array c = a;
  c.as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(distance(c, a), INFINITY);
  EXPECT_EQ(distance(a, c), INFINITY);
}

TEST(Compared, WithoutABaselineOnlyTheCandidateRuns) {
  Pairing p;
  int runs = 0;
  measure(p, {[&] { ++runs; }, {}, {}, 4}, 1, 3);
  EXPECT_EQ(runs, 1 + 3 * 4);
  EXPECT_EQ(p.ratio.max, 0);
  EXPECT_EQ(p.baseline_ms.max, 0);
}

TEST(Compared, RatiosArePerUnitOfWork) {
  Pairing p;
  p.candidate_work = 4, p.baseline_work = 2;
  int candidates = 0;
  double asked = 0;
  measure(p, {[&] { ++candidates; }, {}, [&] { return asked += 1; }, 10}, 2, 3);
  EXPECT_EQ(candidates, 2 + 3 * 10);
  EXPECT_EQ(p.baseline_ms.min, 3);  // two warm-ups came before
  EXPECT_EQ(p.baseline_ms.max, 5);
  EXPECT_LE(p.ratio.min, p.ratio.median);
  EXPECT_LE(p.ratio.median, p.ratio.max);
}

}  // namespace
}  // namespace millrace::bench
