// SPDX-License-Identifier: Apache-2.0
// A grouped matrix product: each block of rows belongs to a group, and each group has a matrix. How many blocks there
// are, and whose they are, is data: the pipeline's grid and its index map read it from SMEM. A group's matrix stays
// for many steps, so the next one is loaded with lookahead, as soon as its window is free.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

constexpr std::int64_t kBlocks = 8, kGroups = 3;  // there is room for 8 blocks of 8 rows

Kernel grouped_matmul() {
  MemorySpec rows = hbm(f32, {8 * kBlocks, 128});
  return kernel("grouped_matmul", {smem(i32, {1}), smem(i32, {kBlocks}), rows, hbm(f32, {kGroups, 128, 128})}, {rows},
                [](Ref count, Ref owner, Ref x, Ref w, Ref out) {
                  BlockSpec own{{8, 128}, [](Index i) { return block(i, 0); }};
                  BlockSpec matrix{{kSqueezed, 128, 128},
                                   [=](Index i) { return block(Index(owner.load(i)), 0, 0); },
                                   Buffered{2, true}};
                  auto step = [](Ref a, Ref b, Ref c) {
                    Value left = a.load();
                    c.store(dot(left, b.load(), Precision::kHighest));
                  };
                  Index blocks(count.load(0));
                  emit_pipeline(step, {.grid = {blocks}, .in = {own, matrix}, .out = {own}})(x, w, out);
                });
}

double product(const Array& x, const Array& w, std::int64_t group, std::int64_t i, std::int64_t j) {
  double sum = 0;
  for (std::int64_t k = 0; k < 128; ++k) sum += x.at({i, k}) * w.at({group, k, j});
  return sum;
}

}  // namespace

int main() {
  const std::vector<std::int32_t> owner{0, 0, 0, 2, 2, 1, 0, 0};
  Array x = Array::linspace(-1, 1, 8 * kBlocks * 128).reshaped({8 * kBlocks, 128});
  Array w = Array::linspace(1, -2, kGroups * 128 * 128).reshaped({kGroups, 128, 128});
  for (std::int32_t blocks : {0, 1, 6}) {  // what lies behind the last block is never written
    Array count = Array::from(std::vector<std::int32_t>{blocks}, {1});
    Array out = run(grouped_matmul(), {count, Array::from(owner, {kBlocks}), x, w});
    double worst = 0;
    for (std::int64_t i = 0; i < 8 * blocks; ++i) {
      for (std::int64_t j = 0; j < 128; ++j) {
        double right = product(x, w, owner[static_cast<std::size_t>(i / 8)], i, j);
        worst = std::max(worst, std::abs(out.at({i, j}) - right));
      }
    }
    std::printf("grouped_matmul: %d blocks, largest difference from the oracle %.3g\n", blocks, worst);
    if (!(worst < 1e-4)) return 1;
  }
  return 0;
}
