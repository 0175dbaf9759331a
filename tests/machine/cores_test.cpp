// SPDX-License-Identifier: Apache-2.0
// Several devices and cores: who runs which steps, copies and signals between them, and what happens where one of them
// cannot go on.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "runs.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kTile = "memref<8x128xf32, #tpu.memory_space<any>>";
const std::string kSlot = "memref<8x128xf32, #tpu.memory_space<vmem>>";
const std::string kDma = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kCount = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";

std::string copy(const std::string& from, const std::string& to, const std::string& type_from = kTile,
                 const std::string& type_to = kTile) {
  return fmt::format(
      "\"tpu.enqueue_dma\"({0}, {1}, %local) {{operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>}} : ({2}, {3}, {4}) "
      "-> ()\n\"tpu.wait_dma2\"(%local, {0}, {1}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}} : ({4}, {2}, "
      "{3}) -> ()\n",
      from, to, type_from, type_to, kDma);
}
std::string remote_copy(const std::string& device) {
  return fmt::format(
      "\"tpu.enqueue_dma\"(%x, %send, %o, %receive, {1}) {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}} : "
      "({0}, {2}, {0}, {2}, i32) -> ()\n",
      kTile, device, kDma);
}
std::string wait(const std::string& semaphore) {
  return fmt::format(
      "\"tpu.wait_dma2\"({0}, %x, %o) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}} : ({2}, {1}, {1}) -> ()\n",
      semaphore, kTile, kDma);
}
std::string number(const std::string& name, int value) {
  return fmt::format("{} = arith.constant {} : i32\n", name, value);
}
// The device `by` further on in a ring of `n`.
std::string neighbour(const std::string& name, int by, int n) {
  return number(name + "_by", by) + number(name + "_n", n) +
         fmt::format(
             "{0}_d = \"tpu.device_id\"() : () -> i32\n{0}_s = arith.addi {0}_d, {0}_by : i32\n"
             "{0} = arith.remsi {0}_s, {0}_n : i32\n",
             name);
}
std::string barrier(const std::string& name) {
  return fmt::format("{} = \"tpu.sem_barrier\"() : () -> {}\n", name, kCount);
}
std::string signal(const std::string& semaphore, const std::string& device) {
  return fmt::format(
      "\"tpu.sem_signal\"({}, %one, {}) {{operandSegmentSizes = array<i32: 1, 1, 1, 0>}} : ({}, i32, i32) -> ()\n",
      semaphore, device, kCount);
}
std::string wait_for(const std::string& semaphore, const std::string& amount) {
  return fmt::format("\"tpu.sem_wait\"({}, {}) : ({}, i32) -> ()\n", semaphore, amount, kCount);
}

const std::string kOperands = fmt::format("%x: {0}, %o: {0}, %send: {1}, %receive: {1}", kTile, kDma);

std::vector<Array> tiles(int count) {
  std::vector<Array> arrays;
  for (int d = 0; d < count; ++d) arrays.push_back(counted(f32, {8, 128}, 10'000.0 * d));
  return arrays;
}

How on(int devices, int cores, const std::string& schedule = "canonical") {
  How how;
  how.schedule = schedule;
  how.environment.devices = devices, how.environment.cores = cores;
  return how;
}

TEST(Devices, PassTheirTilesRoundARing) {
  const auto module = module_of(
      kernel_text(kOperands, neighbour("%next", 1, 4) + remote_copy("%next") + wait("%send") + wait("%receive"), 2));
  for (const std::string& schedule : schedules(6)) {
    const Ran ran = run(module, tiles(4), {{f32, {8, 128}}}, on(4, 1, schedule));
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    ASSERT_EQ(ran.outcome.outputs.size(), 4u);
    for (std::size_t d = 0; d < 4; ++d)
      EXPECT_EQ(ran.out(d).at({0, 5}), 10'000.0 * static_cast<double>((d + 3) % 4) + 5) << schedule << " " << d;
  }
}

TEST(Devices, ACopyRaisesTheSendSemaphoreHereAndTheReceiveSemaphoreThere) {
  const auto module = module_of(
      kernel_text(kOperands, neighbour("%next", 1, 2) + remote_copy("%next") + wait("%send") + wait("%receive"), 2));
  const Ran ran = run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1));
  // Memories: 0 to 3 the operands of both devices, 4 and 5 the semaphores of the first, 6 and 7 those of the second.
  EXPECT_EQ(ran.lines_with("issue dma0 by core0.0 m0[0:8, 0:128] -> m3[0:8, 0:128] raises m7[0] by 4096"), 1u);
  EXPECT_EQ(ran.lines_with("dma0 signals m4[0] by 4096"), 1u);
  EXPECT_EQ(ran.lines_with("dma0 signals m7[0] by 4096"), 1u);
  EXPECT_EQ(ran.lines_with("waited core1.0 m7[0] for 4096"), 1u);
}

TEST(Devices, ABarrierHoldsEachUntilBothNeighboursHaveCome) {
  const std::string body = number("%one", 1) + number("%two", 2) + neighbour("%right", 1, 3) +
                           neighbour("%left", 2, 3) + barrier("%b") + signal("%b", "%left") + signal("%b", "%right") +
                           wait_for("%b", "%two");
  const auto module = module_of(kernel_text(fmt::format("%x: {0}, %o: {0}", kTile), body));
  for (const std::string& schedule : schedules(6)) {
    const Ran ran = run(module, tiles(3), {{f32, {8, 128}}}, on(3, 1, schedule));
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    // No wait returns before all six signals that its device needs have been given.
    const std::size_t first = ran.stream.find("waited ");
    std::size_t signals = 0;
    for (std::size_t at = ran.stream.find("signal "); at < first; at = ran.stream.find("signal ", at + 1)) ++signals;
    EXPECT_GE(signals, 2u) << schedule;
    EXPECT_EQ(ran.lines_with("waited "), 3u);
  }
}

TEST(Devices, ThatAreNamedMustBeThere) {
  const auto module = module_of(kernel_text(kOperands, number("%next", 2) + remote_copy("%next"), 2));
  const std::string error = error_of([&] { run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1)); });
  EXPECT_THAT(error, HasSubstr("device 2 is named, but there are 2 (--devices): take 0 to 1"));
  EXPECT_THAT(error, testing::StartsWith("user: "));
}

TEST(Devices, ThatWaitForEachOtherAreAllNamed) {
  const std::string body =
      number("%one", 1) + neighbour("%next", 1, 2) + barrier("%b") + wait_for("%b", "%one") + signal("%b", "%next");
  const auto module = module_of(kernel_text(fmt::format("%x: {0}, %o: {0}", kTile), body));
  for (const std::string& schedule : schedules(3)) {
    const Ran ran = run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1, schedule));
    ASSERT_EQ(ran.outcome.waiters.size(), 2u) << schedule;
    EXPECT_EQ(ran.outcome.waiters[0].who.device, 0);
    EXPECT_EQ(ran.outcome.waiters[1].who.device, 1);
    EXPECT_THAT(ran.outcome.waiter_names, ElementsAre("barrier", "barrier"));
  }
}

TEST(Devices, AMemoryThatTheOtherHasNotAllocatedIsNoTarget) {
  const std::string body =
      neighbour("%next", 1, 2) + fmt::format(
                                     "\"tpu.region\"() ({{\n%buf = memref.alloca() : {0}\n"
                                     "\"tpu.enqueue_dma\"(%x, %send, %buf, %receive, %next) {{operandSegmentSizes = "
                                     "array<i32: 1, 1, 1, 1, 1, 0>}} : ({1}, {2}, {0}, {2}, i32) -> ()\n"
                                     "\"tpu.yield\"() : () -> ()\n}}) : () -> ()\n",
                                     kSlot, kTile, kDma);
  const auto module = module_of(kernel_text(kOperands, body, 2));
  const Ran ran = run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1));  // device 0 runs first: device 1 has not begun
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->id, "bounds.dma");
  EXPECT_THAT(ran.outcome.fault->message, HasSubstr("core 0 of device 1 has no scoped0 now"));
}

// Around `body` a scope with a semaphore, %s, of each device.
std::string with_semaphore(const std::string& type, const std::string& body) {
  return fmt::format(
      "\"tpu.region\"() ({{\n%s = \"tpu.sem_alloc\"() : () -> {}\n{}\"tpu.yield\"() : () -> ()\n}}) : () -> ()\n", type,
      body);
}

TEST(Devices, ASignalThatComesBeforeItsScopeIsThereWhenTheScopeBegins) {
  const std::string body =
      number("%one", 1) + neighbour("%next", 1, 2) +
      with_semaphore(kCount, signal("%s", "%next") + wait_for("%s", "%one")) +
      with_semaphore(kCount, signal("%s", "%next") + wait_for("%s", "%one"));  // the other may still be in the first
  const auto module = module_of(kernel_text(fmt::format("%x: {0}, %o: {0}", kTile), body));
  for (const std::string& schedule : schedules(8)) {
    const Ran ran = run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1, schedule));
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    EXPECT_EQ(ran.lines_with("waited "), 4u);
    EXPECT_EQ(ran.lines_with(" scopedsem"), 4u) << ran.stream;  // each is allocated once
  }
}

TEST(Devices, ACopyRaisesTheSemaphoreOfAScopeThatHasNotBegun) {
  const std::string copy = fmt::format(
      "\"tpu.enqueue_dma\"(%x, %send, %o, %s, %next) {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}} : ({0}, "
      "{1}, "
      "{0}, {1}, i32) -> ()\n",
      kTile, kDma);
  const std::string body = neighbour("%next", 1, 2) + with_semaphore(kDma, copy + wait("%s")) + wait("%send");
  const auto module = module_of(kernel_text(kOperands, body, 2));
  for (const std::string& schedule : schedules(6)) {
    const Ran ran = run(module, tiles(2), {{f32, {8, 128}}}, on(2, 1, schedule));
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    EXPECT_EQ(ran.out(0).at({0, 5}), 10'005.0) << schedule;
    EXPECT_EQ(ran.out(1).at({0, 5}), 5.0) << schedule;
  }
}

// A grid of these axes whose step copies row `row` of x to that row of out; `row` is an expression of %i and %j.
std::string grid_kernel(const std::string& semantics, const std::string& bounds, const std::string& row) {
  const std::string any = "memref<8x128xf32, #tpu.memory_space<any>>",
                    one = "memref<1x128xf32, #tpu.memory_space<any>>";
  std::string axes;
  for (std::size_t at = 0; at < semantics.size();) {
    const std::size_t comma = std::min(semantics.find(' ', at), semantics.size());
    axes += (axes.empty() ? "" : ", ") + fmt::format("#tpu.dimension_semantics<{}>", semantics.substr(at, comma - at));
    at = comma + 1;
  }
  const auto slice = [&](const std::string& name, const std::string& of) {
    return fmt::format(
        "{} = \"tpu.memref_slice\"({}, %row, %zero) {{operandSegmentSizes = array<i32: 1, 2, 0>}} : ({}, i32, i32) -> "
        "{}\n",
        name, of, any, one);
  };
  return fmt::format(
      "module {{\nfunc.func @main(%i: i32, %j: i32, %x: {0}, %o: {0}, %local: {1}) attributes {{dimension_semantics = "
      "[{2}], iteration_bounds = array<i64: {3}>, scalar_prefetch = 0 : i64, scratch_operands = 1 : i64, window_params "
      "= [{{}}, {{}}]}} {{\n{4}return\n}}\n}}\n",
      any, kDma, axes, bounds,
      number("%zero", 0) + row + slice("%from", "%x") + slice("%to", "%o") + copy("%from", "%to", one, one));
}

// Which core began which step.
class Steps final : public event::Observer {
 public:
  using Observer::on;
  void on(const event::StepBegan& e) override {
    steps.push_back(fmt::format("{}:{},{}", e.who.core, e.index[0], e.index[1]));
  }
  std::vector<std::string> steps;
};

const std::string kRow = number("%two", 2) + "%r = arith.muli %i, %two : i32\n%row = arith.addi %r, %j : i32\n";

std::vector<std::string> steps_of(const std::string& semantics, int cores) {
  Steps steps;
  How how = on(1, cores);
  how.observers = {&steps};
  const Ran ran = run(module_of(grid_kernel(semantics, "3, 2", kRow)), tiles(1), {{f32, {8, 128}}}, how);
  EXPECT_TRUE(ran.outcome.ended());
  for (std::int64_t r = 0; r < 6; ++r) EXPECT_EQ(ran.out().at({r, 1}), 128.0 * static_cast<double>(r) + 1);
  EXPECT_TRUE(is_nan(ran.out(), 6 * 128));
  std::stable_sort(steps.steps.begin(), steps.steps.end(),  // the cores take turns
                   [](const std::string& x, const std::string& y) { return x[0] < y[0]; });
  return steps.steps;
}

TEST(Cores, ShareOutTheParallelAxesInRunsThatFollowEachOther) {
  EXPECT_THAT(steps_of("parallel arbitrary", 2), ElementsAre("0:0,0", "0:0,1", "0:1,0", "0:1,1", "1:2,0", "1:2,1"));
  EXPECT_THAT(steps_of("parallel parallel", 4), ElementsAre("0:0,0", "0:0,1", "1:1,0", "1:1,1", "2:2,0", "2:2,1"));
  EXPECT_THAT(steps_of("arbitrary parallel", 2), ElementsAre("0:0,0", "0:1,0", "0:2,0", "1:0,1", "1:1,1", "1:2,1"));
}

TEST(Cores, ShareOutOnlyTheAxesThatAreMadeForThemWhereThereAreSome) {
  EXPECT_THAT(steps_of("parallel core_parallel", 2), ElementsAre("0:0,0", "0:1,0", "0:2,0", "1:0,1", "1:1,1", "1:2,1"));
}

TEST(Cores, BeyondTheFirstHaveNothingToDoWithoutSuchAxes) {
  EXPECT_THAT(steps_of("arbitrary arbitrary", 2), ElementsAre("0:0,0", "0:0,1", "0:1,0", "0:1,1", "0:2,0", "0:2,1"));
}

TEST(Cores, TakeTheStepsOfOneCoreWhereThereIsOne) {
  EXPECT_THAT(steps_of("parallel core_parallel", 1), ElementsAre("0:0,0", "0:0,1", "0:1,0", "0:1,1", "0:2,0", "0:2,1"));
}

TEST(Cores, GiveTheSameUnderEverySchedule) {
  for (const std::string& schedule : schedules(8)) {
    const auto module = module_of(grid_kernel("parallel parallel", "3, 2", kRow));
    const Ran ran = run(module, tiles(1), {{f32, {8, 128}}}, on(1, 3, schedule));
    ASSERT_TRUE(ran.outcome.ended()) << schedule;
    for (std::int64_t r = 0; r < 6; ++r)
      EXPECT_EQ(ran.out().at({r, 1}), 128.0 * static_cast<double>(r) + 1) << schedule;
    EXPECT_EQ(ran.stream, run(module, tiles(1), {{f32, {8, 128}}}, on(1, 3, schedule)).stream) << schedule;
  }
}

TEST(Cores, GoOnWhereAnotherOneLeavesItsMemory) {
  // Row 2 * i + j + 5 (i from 0 to 2) leaves the 8 rows on core 1 alone, in its first step.
  const std::string row = kRow.substr(0, kRow.rfind("%row")) + number("%five", 5) +
                          "%q = arith.addi %r, %j : i32\n%row = arith.addi %q, %five : i32\n";
  for (const std::string& schedule : schedules(4)) {
    const Ran ran =
        run(module_of(grid_kernel("parallel arbitrary", "2, 2", row)), tiles(1), {{f32, {8, 128}}}, on(1, 2, schedule));
    ASSERT_TRUE(ran.outcome.fault) << schedule;
    EXPECT_EQ(ran.outcome.fault->core, 1);
    EXPECT_TRUE(ran.outcome.other_faults.empty());
    EXPECT_TRUE(ran.outcome.waiters.empty());
    EXPECT_EQ(ran.out().at({5, 0}), 5 * 128) << schedule;  // what core 0 did, and core 1 before
    EXPECT_EQ(ran.out().at({6, 0}), 6 * 128) << schedule;
    EXPECT_EQ(ran.out().at({7, 0}), 7 * 128) << schedule;
  }
}

TEST(Cores, ThatAllLeaveTheirMemoryAreAllNamed) {
  const std::string row = number("%row", 8);
  const Ran ran = run(module_of(grid_kernel("parallel arbitrary", "2, 2", row)), tiles(1), {{f32, {8, 128}}}, on(1, 2));
  ASSERT_TRUE(ran.outcome.fault);
  EXPECT_EQ(ran.outcome.fault->core, 0);
  ASSERT_EQ(ran.outcome.other_faults.size(), 1u);
  EXPECT_EQ(ran.outcome.other_faults[0].core, 1);
}

}  // namespace
}  // namespace millrace::test
