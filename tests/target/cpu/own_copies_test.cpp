// SPDX-License-Identifier: Apache-2.0
// A kernel's own DMAs, its cores, and the threads that stand for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "api/simulate.h"
#include "front/run_kernel.h"
#include "millrace/error.h"
#include "target/cpu/code.h"
#include "target/cpu/runner.h"

namespace millrace::cpu {
namespace {

front::LoadedKernel loaded(const std::string& name) {
  front::KernelRequest request;
  request.module = std::string(MILLRACE_SOURCE_DIR "/tests/cases/") + name;
  return front::load_kernel(request);
}

Runner runner_of(const front::LoadedKernel& k, const NativeOptions& options) {
  return Runner(k.executable->program, k.executable->inputs, k.executable->outputs, options);
}

std::vector<Span> of_kind(const std::vector<Span>& spans, Span::Kind kind) {
  std::vector<Span> some;
  std::ranges::copy_if(spans, std::back_inserter(some), [&](const Span& s) { return s.kind == kind; });
  return some;
}

// One load, awaited, one store, awaited: a wait ends when its DMA has, and no DMA moves before the core has started it.
TEST(OwnCopies, AThreadMovesThemAndAWaitEndsAfterItsDma) {
  const front::LoadedKernel k = loaded("own/view_reshape_dma");
  Runner runner = runner_of(k, {.threads = 1, .movement = Movement::kCopies});
  std::vector<Array> outputs;
  runner.run(k.inputs, outputs);
  const std::vector<Span> spans = runner.take_spans();
  const std::vector<Span> dmas = of_kind(spans, Span::Kind::kDma), waits = of_kind(spans, Span::Kind::kOwnWait);
  ASSERT_GE(dmas.size(), 1u);
  ASSERT_EQ(dmas.size(), waits.size());
  for (std::size_t i = 0; i < dmas.size(); ++i) {
    EXPECT_GT(dmas[i].bytes, 0);
    EXPECT_LE(dmas[i].begin, dmas[i].end);
    EXPECT_GE(waits[i].end, dmas[i].end);
    EXPECT_EQ(waits[i].bytes, dmas[i].bytes);
  }
}

TEST(OwnCopies, DirectMovementMovesThemWhenTheyAreStarted) {
  const front::LoadedKernel k = loaded("own/view_reshape_dma");
  Runner runner = runner_of(k, {.threads = 1});
  std::vector<Array> outputs;
  runner.run(k.inputs, outputs);
  EXPECT_TRUE(runner.take_spans().empty());
  EXPECT_NE(runner.movement().at(0).find("own DMAs: all are copied, when they are started"), std::string::npos);
}

// Its control flow would follow the thread's speed.
TEST(OwnCopies, AKernelThatReadsASemaphoreHasItsDmasDoneAtOnce) {
  const front::LoadedKernel k = loaded("own/semaphore_read_loop");
  Runner runner = runner_of(k, {.threads = 1, .movement = Movement::kCopies});
  EXPECT_FALSE(runner.plan().asynchronous);
  std::vector<Array> outputs;
  runner.run(k.inputs, outputs);
  EXPECT_TRUE(of_kind(runner.take_spans(), Span::Kind::kDma).empty());
}

// Not handed to the simulator's arithmetic, which the tests of bits could not tell.
TEST(CompiledLoops, ReduceRows) {
  const auto code = [](const std::string& name) {
    const front::LoadedKernel k = loaded(name);
    Plan plan;
    make_plan(k.executable->program, k.executable->inputs, k.executable->outputs, false, plan);
    return module_text(plan, false);
  };
  EXPECT_NE(code("kernels_small/cross_entropy").find("@fold_"), std::string::npos);
  EXPECT_NE(code("kernels_small/rmsnorm_bf16").find("@fold_"), std::string::npos);
  EXPECT_EQ(code("kernels_small/edge_2d").find("@fold_"), std::string::npos);
}

TEST(Cores, RunAsThreadsAndGiveTheSimulatorsBits) {
  for (const char* name : {"each_core_signals_first", "second_core_is_told", "two_cores_store_own_rows",
                           "parallel_axis_writes_own_blocks"}) {
    SCOPED_TRACE(name);
    const front::LoadedKernel k = loaded(std::string("two_cores/") + name);
    const api::Simulation right = api::simulate(*k.executable, k.inputs, {});
    for (const Movement movement : {Movement::kDirect, Movement::kCopies}) {
      Runner runner = runner_of(k, {.threads = 1, .movement = movement});
      for (int again = 0; again < 3; ++again) {
        std::vector<Array> outputs;
        runner.run(k.inputs, outputs);
        ASSERT_EQ(outputs.size(), right.outcome.outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i)
          EXPECT_TRUE(same_bits(outputs[i], right.outcome.outputs[i])) << "out" << i;
      }
      EXPECT_EQ(runner.threads(), k.executable->program.devices * k.executable->program.cores);
    }
  }
}

TEST(Cores, ThatWaitForEachOtherAreADeadlock) {
  const front::LoadedKernel k = loaded("two_cores/each_core_waits_for_the_other");
  Runner runner = runner_of(k, {});
  std::vector<Array> outputs;
  try {
    runner.run(k.inputs, outputs);
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFinding);
    EXPECT_NE(std::string(error.what()).find("deadlock: "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("core 0"), std::string::npos) << error.what();
  }
}

TEST(Cores, OneThatReadsASemaphoreIsRefusedByName) {
  front::LoadedKernel k = loaded("own/semaphore_read_loop");
  program::Program two = k.executable->program;
  two.cores = 2;
  try {
    Runner(two, k.executable->inputs, k.executable->outputs, {});
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_NE(std::string(error.what()).find("reads the count of a semaphore"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace millrace::cpu
