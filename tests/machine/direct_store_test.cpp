// SPDX-License-Identifier: Apache-2.0
// A store may have its value made in the memory itself; nobody may be able to tell. (run() runs each kernel twice,
// watched and unwatched, and holds the two against each other.)
#include <gtest/gtest.h>

#include <algorithm>

#include "program/direct_stores.h"
#include "program/lower.h"
#include "runs.h"
#include "tile_kernels.h"

namespace millrace::test {
namespace {

Kernel in_place(const std::function<void(Ref)>& body) {
  return kernel("stores", {vmem(f32, {16, 128})}, {vmem(f32, {16, 128})}, [body](Ref x, Ref out) {
    body(x);
    Value all = x.load();
    out.store(all);
  });
}

TEST(DirectStore, OverPartOfWhatItsValueIsMadeOf) {
  for (int to : {1, 4, 8}) {
    const Kernel k = in_place([to](Ref x) {
      Value rows = x.rows(0, 8).load();
      x.rows(to, 8).store(rows + 1.0f);
    });
    for (const std::string& schedule : schedules(1)) {
      const Array out = run(k, {counted(f32, {16, 128})}, {schedule}).out();
      for (int row = 0; row < 16; ++row)
        EXPECT_EQ(out.at({row, 5}), row >= to && row < to + 8 ? (row - to) * 128 + 5 + 1 : row * 128 + 5) << row;
    }
  }
}

TEST(DirectStore, OverAllOfIt) {
  const Kernel k = in_place([](Ref x) {
    Value before = x.load();
    x.store(before * 2.0f);
  });
  EXPECT_EQ(run(k, {counted(f32, {16, 128})}).out().at({15, 127}), 2 * (16 * 128 - 1));
}

TEST(DirectStore, OfColumnsThatDoNotLieSideBySide) {
  const Kernel k = in_place([](Ref x) {
    Value left = x.slice({0, 0}, {8, 64}).load();
    x.slice({8, 64}, {8, 64}).store(left + left);
  });
  const Array out = run(k, {counted(f32, {16, 128})}).out();
  EXPECT_EQ(out.at({9, 65}), 2 * (128 + 1));
  EXPECT_EQ(out.at({9, 63}), 9 * 128 + 63);
}

TEST(DirectStore, OfNarrowerElementsThanItsValueIsMadeOf) {
  const Array out = run_tile(counted(f32, {8, 128}), "8x128xf32", "8x128xbf16", {bf16, {8, 128}},
                             "%r = arith.truncf %v : vector<8x128xf32> to vector<8x128xbf16>");
  EXPECT_EQ(out.at({1, 0}), 128);
}

TEST(DirectStore, OnlyOfAValueThatNobodyElseReads) {
  const auto stored_next = [](const std::string& body) {
    const mosaic::Module m = tile_module("8x128xf32", "8x128xf32", body);
    const program::Program p = program::lower(m, {{f32, {8, 128}}}, {{f32, {8, 128}}});
    return std::count_if(p.code.begin(), p.code.end(),
                         [](const auto& i) { return i.op == program::Op::kBinary && (i.small & 4) != 0; });
  };
  EXPECT_EQ(stored_next("%r = arith.addf %v, %v : vector<8x128xf32>"), 1);
  EXPECT_EQ(
      stored_next("%r = arith.addf %v, %v : vector<8x128xf32>\n"
                  "vector.store %r, %x[%c0, %c0] : memref<8x128xf32, #tpu.memory_space<vmem>>, vector<8x128xf32>"),
      0);
}

}  // namespace
}  // namespace millrace::test
