// SPDX-License-Identifier: Apache-2.0
// Slices and indices that the compiler of libtpu 0.0.37 takes or refuses for a v5e, one row a compile.
#include <gtest/gtest.h>

#include "judged.h"

namespace millrace::rules {
namespace {

struct Row {
  Shape array;
  DType dtype;
  Shape start, size;
  bool computed;  // the start is a scalar of the kernel times `start`
  bool taken;
};

std::string name_of_row(const Row& r) {
  return std::string(name_of(r.dtype)) + " " + to_string(r.array) + " from " + to_string(r.start) + " take " +
         to_string(r.size) + (r.computed ? ", computed" : "");
}

std::vector<Index> starts(const Row& r, Ref scalar) {
  std::vector<Index> result;
  for (std::int64_t n : r.start) result.push_back(r.computed && n != 0 ? Index(scalar.load(0)) * n : Index(n));
  return result;
}

const std::vector<Row>& rows_of_hbm() {
  static const std::vector<Row> rows = {
      {{64, 128}, DType::f32, {3, 0}, {8, 128}, false, true},
      {{64, 128}, DType::f32, {5, 0}, {8, 128}, true, true},
      {{64, 128}, DType::f32, {0, 0}, {3, 128}, false, true},
      {{64, 384}, DType::f32, {3, 0}, {8, 384}, false, false},
      {{64, 384}, DType::f32, {16, 0}, {16, 384}, false, true},
      {{64, 384}, DType::f32, {5, 0}, {8, 384}, true, false},
      {{64, 384}, DType::f32, {8, 0}, {8, 384}, true, true},
      {{64, 384}, DType::f32, {8, 0}, {4, 384}, false, false},
      {{64, 128}, DType::bf16, {3, 0}, {8, 128}, false, false},
      {{64, 128}, DType::bf16, {8, 0}, {8, 128}, false, true},
      {{64, 128}, DType::bf16, {0, 0}, {4, 128}, false, false},
      {{64, 128}, DType::i8, {3, 0}, {8, 128}, false, false},
      {{64, 384}, DType::i8, {8, 0}, {8, 384}, true, true},
      {{4, 384}, DType::f32, {1, 0}, {2, 384}, false, false},
      {{12, 384}, DType::f32, {4, 0}, {8, 384}, false, false},
      {{3, 8, 384}, DType::f32, {1, 0, 0}, {1, 8, 384}, false, true},
      {{3, 20, 384}, DType::bf16, {1, 8, 0}, {1, 8, 384}, false, true},
      {{16, 256}, DType::f32, {8, 128}, {8, 128}, false, true},
      {{24, 200}, DType::f32, {8, 0}, {8, 200}, false, false},
      {{24, 200}, DType::f32, {8, 128}, {8, 72}, false, false},
      {{24, 200}, DType::f32, {8, 0}, {8, 128}, false, true},
      {{3, 8, 200}, DType::f32, {1, 0, 0}, {1, 8, 200}, false, false},
      {{3, 5, 200}, DType::f32, {1, 0, 0}, {1, 5, 200}, false, false},
      {{1, 384}, DType::f32, {0, 128}, {1, 128}, false, true},
      {{3, 384}, DType::f32, {0, 128}, {3, 128}, false, false},
      {{2048}, DType::f32, {1024}, {1024}, false, true},
      {{2048}, DType::f32, {128}, {128}, false, false},
      {{4096}, DType::bf16, {512}, {512}, true, false},
      {{256}, DType::f32, {128}, {128}, false, false},
  };
  return rows;
}

TEST(Alignment, SlicesOfArraysAreTakenOrRefusedAsTheCompilerDoes) {
  for (const Row& r : rows_of_hbm()) {
    const Kernel k = kernel("k", {smem(DType::i32, {1}), hbm(r.dtype, r.array)}, {hbm(r.dtype, r.size)},
                            [&](Ref s, Ref x, Ref o) { sync_copy(x.slice(starts(r, s), r.size), o); });
    const auto found = judged(k, {{DType::i32, {1}}, {r.dtype, r.array}});
    EXPECT_EQ(found.empty(), r.taken) << name_of_row(r) << (found.empty() ? "" : ": " + found[0].message);
    for (const Finding& f : found) EXPECT_EQ(f.id, "target.alignment");
    for (const Finding& f : found) EXPECT_EQ(f.memory, "in1");
  }
}

TEST(Alignment, BytesLieInTallerTilesInScratch) {
  const auto copy = [](DType dtype, std::int64_t rows) {
    return judged(kernel("k", {hbm(dtype, {8, 384})}, {hbm(dtype, {8, 384})},
                         [&](Ref x, Ref o) {
                           scoped(vmem(dtype, {rows, 384}), [&](Ref b) {
                             sync_copy(x, b.rows(8, 8));
                             sync_copy(b.rows(8, 8), o);
                           });
                         }),
                  {{dtype, {8, 384}}});
  };
  EXPECT_TRUE(copy(DType::f32, 64).empty());
  EXPECT_TRUE(copy(DType::bf16, 64).empty());
  EXPECT_FALSE(copy(DType::i8, 64).empty());
  EXPECT_TRUE(copy(DType::i8, 60).empty());
}

// Loads from a window that is the whole array.
TEST(Alignment, ComputedIndicesOfLoadsNeedAProof) {
  const std::vector<Row> rows = {
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, true, false},  {{64, 384}, DType::f32, {0, 128}, {8, 128}, true, true},
      {{64, 384}, DType::f32, {5, 0}, {8, 128}, true, false},  {{64, 384}, DType::f32, {8, 0}, {8, 128}, true, true},
      {{64, 128}, DType::f32, {5, 0}, {8, 128}, true, true},   {{64, 128}, DType::bf16, {5, 0}, {8, 128}, true, false},
      {{64, 384}, DType::i8, {8, 0}, {8, 128}, true, true},    {{64, 384}, DType::f32, {3, 0}, {8, 128}, false, true},
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, false, true},  {{64, 256}, DType::f32, {5, 0}, {1, 256}, true, true},
      {{64, 256}, DType::f32, {5, 0}, {2, 256}, true, false},  {{64, 384}, DType::f32, {5, 0}, {1, 128}, true, false},
      {{64, 128}, DType::bf16, {5, 0}, {1, 128}, true, false},
  };
  for (const Row& r : rows) {
    const Kernel k = kernel("k", {smem(DType::i32, {1}), vmem(r.dtype, r.array)}, {vmem(r.dtype, r.size)},
                            [&](Ref s, Ref x, Ref o) { o.store(x.slice(starts(r, s), r.size).load()); });
    const auto found = judged(k, {{DType::i32, {1}}, {r.dtype, r.array}});
    EXPECT_EQ(found.empty(), r.taken) << name_of_row(r) << (found.empty() ? "" : ": " + found[0].message);
  }
}

}  // namespace
}  // namespace millrace::rules
