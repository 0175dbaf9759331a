// SPDX-License-Identifier: Apache-2.0
#include "rules/footprint.h"

#include <gtest/gtest.h>

#include "judged.h"

namespace millrace::rules {
namespace {

Footprint footprint(const Kernel& kernel, const std::vector<dsl::Operand>& inputs, std::string_view chip = "v5e") {
  const dsl::Traced traced = dsl::trace(kernel, inputs);
  return footprint_of({*traced.module, plan::chip_named(chip), {{"in0", inputs[0].shape}, {"out0", inputs[0].shape}}});
}

const Held* held(const Footprint& f, const std::string& name) {
  for (const Held& h : f.held)
    if (h.name == name) return &h;
  return nullptr;
}

TEST(Footprint, AWindowIsItsBlockInWholeTilesTimesItsSlots) {
  const BlockSpec block{{5, 100}, [](Index i) { return millrace::block(i, 0); }};
  const Kernel k =
      grid_kernel("k", [](Ref x, Ref o) { o.store(x.load()); }, {.grid = {2}, .in = {block}, .out = {block}});
  const Footprint f = footprint(k, {{DType::f32, {10, 100}}});
  ASSERT_NE(held(f, "in0"), nullptr);
  const Held& in = *held(f, "in0");
  EXPECT_EQ(in.memory, "VMEM");
  EXPECT_EQ(name_of(in.holder), "window");
  EXPECT_EQ(in.logical, 5 * 100 * 4);
  EXPECT_EQ(in.padded, 8 * 128 * 4);
  EXPECT_EQ(in.slots, 2);
  EXPECT_EQ(in.bytes, 2 * 8 * 128 * 4);
  EXPECT_EQ(f.total.vmem, 4 * 8 * 128 * 4);
  EXPECT_EQ(f.limit.vmem, plan::chip_named("v5e").vmem_limit);
  EXPECT_EQ(f.vmem, plan::chip_named("v5e").vmem);
}

TEST(Footprint, ScopesBesideEachOtherAreListedBothAndCountedOnce) {
  const auto two = [&](bool nested) {
    return footprint(kernel("k", {hbm(DType::f32, {8, 128})}, {hbm(DType::f32, {8, 128})},
                            [=](Ref x, Ref o) {
                              scoped(vmem(DType::f32, {8, 128}), [&](Ref a) {
                                sync_copy(x, a), sync_copy(a, o);
                                if (nested) scoped(vmem(DType::f32, {8, 128}), [&](Ref b) { sync_copy(a, b); });
                              });
                              if (!nested)
                                scoped(vmem(DType::f32, {8, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
                            }),
                     {{DType::f32, {8, 128}}});
  };
  for (const bool nested : {false, true}) {
    const Footprint f = two(nested);
    ASSERT_NE(held(f, "scoped0"), nullptr);
    ASSERT_NE(held(f, "scoped1"), nullptr);
    EXPECT_EQ(held(f, "in0"), nullptr) << "an operand in HBM takes nothing";
    EXPECT_EQ(f.scopes.vmem, (nested ? 2 : 1) * 4096);
    EXPECT_EQ(f.total.vmem, f.scopes.vmem);
  }
}

}  // namespace
}  // namespace millrace::rules
