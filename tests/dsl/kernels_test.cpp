// SPDX-License-Identifier: Apache-2.0
// The four kernels that set the feel of the language, as modules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels.h"
#include "mosaic/io.h"
#include "traced.h"

namespace millrace::test {
namespace {

const mosaic::Attribute& attribute(const mosaic::Function& f, const char* name) {
  const auto* found = f.find(name);
  if (!found) throw std::runtime_error(name);
  return *found;
}

TEST(Kernels, AGridKernelIsABodyForOneStepAndAMapForEachOperand) {
  auto traced = dsl::trace(softmax_rows(), {{f32, {32, 512}}});
  mosaic::verify_module(*traced.module);
  ASSERT_EQ(traced.module->functions.size(), 3u);
  const auto& main = *traced.module->kernel();
  EXPECT_EQ(main.name, "main");
  EXPECT_EQ(*mosaic::as_integers(main.find("iteration_bounds")), std::vector<std::int64_t>{4});
  EXPECT_EQ(*mosaic::as_integer(main.find("scalar_prefetch")), 0);
  EXPECT_EQ(std::get<mosaic::ArrayAttr>(attribute(main, "window_params").value).values.size(), 2u);
  EXPECT_EQ(traced.module->functions[1].name, "transform_0");
  EXPECT_EQ(traced.module->functions[1].results.size(), 2u);
}

TEST(Kernels, AnOutputIsAsLargeAsItsBlocksReach) {
  auto traced = dsl::trace(blocked_matmul(256, 384, 512), {{f32, {256, 512}}, {f32, {512, 384}}});
  mosaic::verify_module(*traced.module);
  ASSERT_EQ(traced.outputs.size(), 1u);
  EXPECT_EQ(traced.outputs[0].shape, (Shape{256, 384}));
  EXPECT_EQ(traced.outputs[0].dtype, f32);
}

TEST(Kernels, TheLessonsPipelineIsValidUnderEveryScheduleAndDtype) {
  for (DType dtype : {f32, bf16}) {
    for (int in : {1, 2, 3, 4}) {
      for (int out : {1, 2}) {
        auto m = module_of(pipelined_axpy(in, out, false, dtype), {{dtype, {24, 384}}, {dtype, {24, 384}}});
        EXPECT_EQ(count(*m, "memref.alloca"), 3u);
        EXPECT_EQ(count(*m, "tpu.sem_alloc"), 3u);
      }
    }
    module_of(pipelined_axpy(2, 2, true, dtype), {{dtype, {24, 384}}, {dtype, {24, 384}}});
  }
}

TEST(Kernels, TheHandWrittenPipelineCarriesTheLinesOfItsCopies) {
  auto m = module_of(scale_by_hand(), {{f32, {64, 256}}});
  EXPECT_EQ(count(*m, "tpu.enqueue_dma"), 3u);
  EXPECT_EQ(count(*m, "tpu.wait_dma2"), 2u);
  for (const auto& place : m->locations) {
    EXPECT_TRUE(place.file.empty() || place.file == "kernels.h") << place.file;
    EXPECT_TRUE(place.scope.empty());
  }
}

TEST(Kernels, TwoTracesOfAKernelAreTheSameModule) {
  auto text = [] {
    auto traced = dsl::trace(pipelined_axpy(3, 2), {{f32, {24, 384}}, {f32, {24, 384}}});
    return mosaic::write_module(*traced.module, {mosaic::Form::kText, mosaic::Names::kPlain, 9, true});
  };
  EXPECT_EQ(text(), text());
}

TEST(Kernels, AttributesAreSortedByName) {
  std::function<void(const mosaic::Region&)> look = [&](const mosaic::Region& region) {
    for (const auto& op : region.ops) {
      for (std::size_t i = 1; i < op.attributes.size(); ++i) {
        EXPECT_LT(op.attributes[i - 1].first, op.attributes[i].first) << op.name;
      }
      for (const auto& inner : op.regions) look(inner);
    }
  };
  auto axpy_module = module_of(pipelined_axpy(3, 2), {{f32, {24, 384}}, {f32, {24, 384}}});
  auto matmul_module = module_of(blocked_matmul(256, 256, 256), {{f32, {256, 256}}, {f32, {256, 256}}});
  for (const auto& module : {axpy_module, matmul_module}) {
    for (const auto& f : module->functions) look(f.body);
  }
}

TEST(Kernels, ScratchFollowsTheOutputsAndIsCounted) {
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  auto running_sum = [](Ref x, Ref out, Ref total) {
    when(program_id(0) == 0, [&] { total.store(zeros_like(total)); });
    total.store(total.load() + x.load());
    out.store(total.load());
  };
  Kernel k =
      grid_kernel("k", running_sum, {.grid = {4}, .in = {rows}, .out = {rows}, .scratch = {vmem(f32, {8, 128})}});
  auto m = module_of(k, {{f32, {32, 128}}});
  EXPECT_EQ(*mosaic::as_integer(m->kernel()->find("scratch_operands")), 1);
  EXPECT_EQ(m->kernel()->body.arguments.size(), 4u);
}

TEST(Kernels, OperandsInPlaceHaveNoWindow) {
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  auto body = [](Ref x, Ref out) { sync_copy(x.rows(8 * program_id(0), 8), out); };
  Kernel k = grid_kernel("k", body, {.grid = {4}, .in = {BlockSpec::in_place()}, .out = {rows}});
  auto m = module_of(k, {{f32, {32, 128}}});
  EXPECT_EQ(m->functions.size(), 2u);
  const auto& windows = std::get<mosaic::ArrayAttr>(attribute(*m->kernel(), "window_params").value).values;
  EXPECT_TRUE(std::get<mosaic::DictionaryAttr>(windows[0].value).entries.empty());
  EXPECT_EQ(m->functions[1].name, "transform_1");
}

TEST(Kernels, EdgeBlocksAreAllowedWhereTheOutputsShapeIsGiven) {
  BlockSpec blocks{{8, 128}, [](Index i, Index j) { return block(i, j); }};
  auto body = [](Ref x, Ref out) { out.store(3 * x.load()); };
  Kernel k =
      grid_kernel("k", body, {.grid = {3, 3}, .in = {blocks}, .out = {blocks}, .out_arrays = {{f32, {17, 257}}}});
  auto traced = dsl::trace(k, {{f32, {17, 257}}});
  mosaic::verify_module(*traced.module);
  EXPECT_EQ(traced.outputs[0].shape, (Shape{17, 257}));
}

TEST(Kernels, AnAccumulatingPipelineStoresInWindowsThatStay) {
  auto body = [](Ref a, Ref b, Ref c) {
    auto step = [](Ref x, Ref y, Ref z) {
      when(program_id(2) == 0, [&] { z.store(zeros_like(z)); });
      z.store(z.load() + dot(x.load(), y.load()));
    };
    emit_pipeline(step, {.grid = {2, 2, 3},
                         .in = {{{128, 128}, [](Index i, Index, Index k) { return block(i, k); }},
                                {{128, 128}, [](Index, Index j, Index k) { return block(k, j); }}},
                         .out = {{{128, 128}, [](Index i, Index j, Index) { return block(i, j); }}}})(a, b, c);
  };
  Kernel k = kernel("k", {hbm(f32, {256, 384}), hbm(f32, {384, 256})}, {hbm(f32, {256, 256})}, body);
  module_of(k, {{f32, {256, 384}}, {f32, {384, 256}}});
}

}  // namespace
}  // namespace millrace::test
