// SPDX-License-Identifier: Apache-2.0
// The lesson's kernels in the simulator against the oracle, and what a failed run leaves behind: nothing.
#include "lab/axpy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "lab/compare.h"
#include "lab/oracle.h"
#include "millrace/error.h"
#include "millrace/language.h"

namespace millrace::lab {
namespace {

void expect_oracle(const Configuration& c, const Pair& input, const std::string& order = "canonical") {
  const Simulated s = simulate_axpy(c, input, {.schedule = order});
  ASSERT_EQ(s.output.shape(), input.x.shape());
  EXPECT_TRUE(compare(s.output, oracle(input.x, input.y)).exact) << describe(c) << ", " << order;
  EXPECT_TRUE(s.results.races.empty()) << s.results.races.front().message;
}

struct Order {
  Configuration configuration;
  std::string order;
};

class Schedules : public ::testing::TestWithParam<Order> {};

TEST_P(Schedules, GiveTheOraclesBits) {
  expect_oracle(GetParam().configuration, lesson_pair(f32), GetParam().order);
  expect_oracle(GetParam().configuration, random_pair(9, 129, bf16, 7), GetParam().order);
}

std::vector<Order> all_orders() {
  std::vector<Order> orders;
  for (const std::string order : {"canonical", "eager", "lazy", "random:1", "random:2"}) {
    for (const int slots : {2, 3}) {
      orders.push_back({{.input_slots = slots}, order});
      orders.push_back({{.input_slots = slots, .synchronous = true}, order});
    }
    orders.push_back({{.program = Program::kBlocked, .block = {9, 100}}, order});
  }
  return orders;
}

INSTANTIATE_TEST_SUITE_P(Orders, Schedules, ::testing::ValuesIn(all_orders()));

RC_GTEST_PROP(Blocked, TakesAnyBlockOnAnyMatrix, ()) {
  const Extent shape{*rc::gen::inRange(1, 12), *rc::gen::inRange(1, 20)};
  const Extent block{*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 14)};
  const DType dtype = *rc::gen::element(f32, bf16);
  const Pair input = random_pair(shape.rows, shape.columns, dtype, *rc::gen::arbitrary<unsigned>());
  const Simulated s = simulate_axpy({.program = Program::kBlocked, .block = block}, input);
  RC_ASSERT(compare(s.output, oracle(input.x, input.y)).exact);
}

RC_GTEST_PROP(Pipelined, TakesAnyMatrix, ()) {
  const Pair input = random_pair(*rc::gen::inRange(1, 40), *rc::gen::inRange(1, 400), *rc::gen::element(f32, bf16),
                                 *rc::gen::arbitrary<unsigned>());
  const Configuration c{.input_slots = *rc::gen::element(2, 3), .synchronous = *rc::gen::arbitrary<bool>()};
  const Simulated s = simulate_axpy(c, input);
  RC_ASSERT(compare(s.output, oracle(input.x, input.y)).exact);
  RC_ASSERT(s.results.races.empty());
}

TEST(Pipelined, CarriesInfinitiesAndNaNs) {
  Pair input = lesson_pair(f32);
  input.x.as<float>()[0] = INFINITY;
  input.x.as<float>()[300] = NAN;
  input.y.as<float>()[4000] = -INFINITY;
  expect_oracle({}, input);
}

// Waits for a semaphore that nobody raises, with a copy under way and half of the output written.
Kernel deadlocking() {
  return kernel("deadlocking", {hbm(f32, {16, 128})}, {hbm(f32, {16, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {8, 128}), dma_semaphores(1), semaphores(1), [&](Ref tile, Semaphores arrived, Semaphores never) {
      sync_copy(x.rows(0, 8), tile);
      sync_copy(tile, out.rows(0, 8));
      make_async_copy(x.rows(8, 8), tile, arrived[0]).start();
      wait(never[0]);
    });
  });
}

void expect_same_run(const Simulated& a, const Simulated& b) {
  EXPECT_TRUE(same_bits(a.output, b.output));
  EXPECT_EQ(a.results.work.steps, b.results.work.steps);
  EXPECT_EQ(a.results.work.dmas, b.results.work.dmas);
  EXPECT_EQ(a.results.work.dma_bytes, b.results.work.dma_bytes);
  EXPECT_EQ(a.results.races.size(), b.results.races.size());
}

TEST(Recovery, ADeadlockLeavesTheNextRunAsInAFreshProcess) {
  const Pair input = lesson_pair(f32);
  const Simulated fresh = simulate_axpy({.input_slots = 3}, input);
  for (const std::string order : {"canonical", "eager", "lazy"}) {
    try {
      run(deadlocking(), {Array(f32, {16, 128})}, {.schedule = order, .detect_races = true});
      ADD_FAILURE() << "the kernel ended";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFinding);
    }
    expect_same_run(fresh, simulate_axpy({.input_slots = 3}, input));
  }
}

TEST(Recovery, ARefusalOrAStepLimitLeavesTheNextRunAsInAFreshProcess) {
  const Pair input = random_pair(9, 129, bf16, 3);
  const Simulated fresh = simulate_axpy({}, input);
  EXPECT_THROW(simulate_axpy({.block = {3, 5}}, input), Error);
  expect_same_run(fresh, simulate_axpy({}, input));
  EXPECT_THROW(simulate_axpy({}, input, {.max_steps = 10}), Error);
  expect_same_run(fresh, simulate_axpy({}, input));
}

}  // namespace
}  // namespace millrace::lab
