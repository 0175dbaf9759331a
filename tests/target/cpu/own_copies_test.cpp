// SPDX-License-Identifier: Apache-2.0
// A kernel's own DMAs, its cores, and the threads that stand for them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/simulate.h"
#include "front/run_kernel.h"
#include "millrace/error.h"
#include "mosaic/io.h"
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

// Each device sends its tile to the next one, and waits until it has read and until one has come; then for more, or
// not.
std::string ring(bool more) {
  const std::string tile = "memref<8x128xf32, #tpu.memory_space<any>>";
  const std::string dma = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
  const auto wait = [&](const char* semaphore) {
    return fmt::format(
        "\"tpu.wait_dma2\"({0}, %x, %o) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}} : ({2}, {1}, {1}) -> ()\n",
        semaphore, tile, dma);
  };
  return fmt::format(
             "module {{ func.func @main(%x: {0}, %o: {0}, %send: {1}, %receive: {1}) attributes {{dimension_semantics "
             "= "
             "[], scalar_prefetch = 0 : i64, scratch_operands = 2 : i64}} {{\n"
             "%by = arith.constant 1 : i32\n%n = arith.constant 3 : i32\n%d = \"tpu.device_id\"() : () -> i32\n"
             "%s = arith.addi %d, %by : i32\n%next = arith.remsi %s, %n : i32\n"
             "\"tpu.enqueue_dma\"(%x, %send, %o, %receive, %next) {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, "
             "0>}} "
             ": ({0}, {1}, {0}, {1}, i32) -> ()\n",
             tile, dma) +
         wait("%send") + wait("%receive") + (more ? wait("%receive") : "") + "return }}\n";
}

struct OnDevices {
  std::unique_ptr<const api::Executable> executable;
  std::vector<Array> inputs;
};
OnDevices on_devices(const std::string& text, int devices) {
  OnDevices k;
  const std::vector<program::OperandSpec> tile{{DType::f32, {8, 128}}};
  k.executable = api::prepare(mosaic::read_module(text, "ring.mlir"), tile, tile, {.devices = devices});
  for (int d = 0; d < devices; ++d) k.inputs.push_back(Array::full(DType::f32, {8, 128}, d));
  return k;
}

TEST(Devices, PassTheirTilesRoundARing) {
  const OnDevices k = on_devices(ring(false), 3);
  for (const Movement movement : {Movement::kDirect, Movement::kCopies}) {
    Runner runner(k.executable->program, k.executable->inputs, k.executable->outputs, {.movement = movement});
    std::vector<Array> outputs;
    runner.run(k.inputs, outputs);
    ASSERT_EQ(outputs.size(), 3u);
    for (std::size_t d = 0; d < 3; ++d) EXPECT_TRUE(same_bits(outputs[d], k.inputs[(d + 2) % 3])) << d;
  }
}

std::string complaint(const OnDevices& k) {
  Runner runner(k.executable->program, k.executable->inputs, k.executable->outputs, {});
  std::vector<Array> outputs;
  try {
    runner.run(k.inputs, outputs);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Devices, ThatWaitInVainOrNameNobodyEnd) {
  EXPECT_NE(complaint(on_devices(ring(true), 3)).find("deadlock: device 0: the wait needs 4096"), std::string::npos);
  EXPECT_NE(complaint(on_devices(ring(false), 2)).find("device 2 is named, but there are 2 (--devices): take 0 to 1"),
            std::string::npos);
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
