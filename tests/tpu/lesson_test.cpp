// SPDX-License-Identifier: Apache-2.0
// The lesson's kernel in all of its configurations, and on all chips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/axpy.h"
#include "millrace/language.h"
#include "on_libtpu.h"
#include "plan/chip.h"

namespace millrace::test {
namespace {

using lab::Configuration;
using plan::Extent;
using target::Verdict;

constexpr Extent kMatrix{1024, 2048};

std::vector<Configuration> configurations() {
  std::vector<Configuration> all;
  for (const Extent block : {Extent{8, 128}, {16, 128}, {16, 256}, {64, 512}, {256, 1024}})
    for (const int slots : {2, 3})
      for (const bool synchronous : {false, true})
        all.push_back({.block = block, .input_slots = slots, .synchronous = synchronous});
  return all;
}

target::Compiled compiled_axpy(const Configuration& c, Extent matrix, const std::string& chip) {
  const dsl::Operand whole{DType::f32, {matrix.rows, matrix.columns}};
  return compiled(call_of(lab::pipelined_axpy(DType::f32, matrix, c), {whole, whole}), chip);
}

TEST(Libtpu, IsTheOneThatTheParsersHaveSeen) { EXPECT_EQ(library().version, target::kPinnedLibtpu); }

// VMEM is every slot of every window; where every copy is awaited at once, each window has one.
TEST(Lesson, AllConfigurationsCompileAndTakeTheVmemThatIsModeled) {
  const std::vector<Configuration> all = configurations();
  const auto results = two_at_a_time(all.size(), [&](std::size_t i) { return compiled_axpy(all[i], kMatrix, "v5e"); });
  ASSERT_EQ(all.size(), 20u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Configuration& c = all[i];
    const target::Compiled& r = results[i];
    const std::int64_t tile = c.block.rows * c.block.columns * 4, steps = 1024 * 2048 * 4 / tile;
    ASSERT_EQ(r.verdict, Verdict::kAccepted) << describe(c) << ": " << r.diagnosis.reason;
    EXPECT_TRUE(r.notes.empty()) << describe(c) << ": " << (r.notes.empty() ? "" : r.notes[0]);
    ASSERT_TRUE(r.dumps.vmem && r.dumps.bundles && r.dumps.utilisation) << describe(c);
    EXPECT_EQ(r.dumps.vmem->total, (c.synchronous ? 3 : 2 * c.input_slots + 2) * tile) << describe(c);
    const auto* step = target::main_loop(*r.dumps.bundles);
    ASSERT_NE(step, nullptr) << describe(c);
    EXPECT_EQ(step->trips, steps) << describe(c);
    EXPECT_GT(step->bundles, 40) << describe(c);
    EXPECT_LT(step->bundles, r.dumps.bundles->bundles) << describe(c);
    // Every register of the tile is stored once a step, and there is one loop.
    EXPECT_EQ(r.dumps.utilisation->slots.at(7).slot, "VSTORE");
    EXPECT_EQ(r.dumps.utilisation->slots.at(7).used, tile / 4096) << describe(c);
  }
}

TEST(Lesson, CompilesForEveryChip) {
  const auto& chips = plan::chips();
  const auto results = two_at_a_time(chips.size(), [&](std::size_t i) {
    return compiled_axpy({}, {24, 384}, std::string(chips[i].name));
  });
  ASSERT_EQ(chips.size(), 7u);
  for (std::size_t i = 0; i < chips.size(); ++i) {
    ASSERT_EQ(results[i].verdict, Verdict::kAccepted) << chips[i].name << ": " << results[i].diagnosis.reason;
    EXPECT_TRUE(results[i].notes.empty()) << chips[i].name << ": " << results[i].notes.front();
    EXPECT_EQ(results[i].dumps.vmem->total, 6 * 4096) << chips[i].name;
    EXPECT_EQ(results[i].dumps.vmem->capacity, chips[i].vmem) << chips[i].name;
    EXPECT_EQ(target::main_loop(*results[i].dumps.bundles)->trips, 9) << chips[i].name;
    EXPECT_GT(results[i].code_bytes.value_or(0), 30000) << chips[i].name;
  }
}

// What JAX 0.9.2's emit_pipeline compiles to, for the same arrays, tiles, slots and chip, in bundles a step.
TEST(Lesson, AStepIsNoLongerThanJaxs) {
  const std::vector<std::pair<Configuration, std::int64_t>> all{
      {{}, 87}, {{.input_slots = 3}, 114}, {{.synchronous = true}, 61}};
  for (const auto& [configuration, jax] : all) {
    const target::Compiled r = compiled_axpy(configuration, kMatrix, "v5e");
    ASSERT_EQ(r.verdict, Verdict::kAccepted) << r.diagnosis.reason;
    const auto* step = target::main_loop(*r.dumps.bundles);
    ASSERT_NE(step, nullptr);
    EXPECT_LE(step->bundles, jax) << describe(configuration);
  }
}

// A grid's loop is the compiler's own: its windows add two passes.
TEST(Lesson, TheGridsOwnPipelineCompilesToo) {
  const dsl::Operand whole{DType::f32, {1024, 2048}};
  const auto r = compiled(call_of(lab::blocked_axpy(DType::f32, kMatrix, {64, 512}), {whole, whole}), "v5e");
  ASSERT_EQ(r.verdict, Verdict::kAccepted) << r.diagnosis.reason;
  EXPECT_EQ(r.dumps.vmem->total, 6 * 64 * 512 * 4);
  EXPECT_EQ(target::main_loop(*r.dumps.bundles)->trips, 64 + 2);
}

// A counter that does not begin at 0 or step by 1 does not count passes; no number is better than a wrong one.
TEST(Lesson, ALoopThatStepsByTwoIsNotMiscounted) {
  const Kernel k = kernel("k", {hbm(DType::f32, {64, 128})}, {hbm(DType::f32, {64, 128})}, [](Ref x, Ref o) {
    scoped(vmem(DType::f32, {8, 128}), [&](Ref b) {
      for_range(2, 8, [&](Index i) {
        sync_copy(x.rows(8 * i, 8), b);
        sync_copy(b, o.rows(8 * i, 8));
      });
    });
  });
  const auto r = compiled(call_of(k, {{DType::f32, {64, 128}}}), "v5e");
  ASSERT_EQ(r.verdict, Verdict::kAccepted) << r.diagnosis.reason;
  ASSERT_TRUE(r.dumps.bundles);
  for (const auto& loop : r.dumps.bundles->loops) EXPECT_EQ(loop.trips.value_or(6), 6);
}

}  // namespace
}  // namespace millrace::test
