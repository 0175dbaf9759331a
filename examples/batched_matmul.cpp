// SPDX-License-Identifier: Apache-2.0
// A pipeline in a pipeline. The outer one walks over a batch and moves nothing: its blocks stay in HBM. The inner one
// multiplies the matrices of one batch entry, tile by tile.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

void add_product(Ref a, Ref b, Ref c) {
  when(program_id(2) == 0, [&] { c.store(zeros_like(c)); });
  Value product = dot(a.load(), b.load(), Precision::kHighest);
  c.store(c.load() + product);
}

void one_entry(Ref a, Ref b, Ref c) {
  emit_pipeline(add_product, {.grid = {2, 1, 3},
                              .in = {{{8, 128}, [](Index i, Index, Index l) { return block(i, l); }},
                                     {{128, 128}, [](Index, Index j, Index l) { return block(l, j); }}},
                              .out = {{{8, 128}, [](Index i, Index j, Index) { return block(i, j); }}}})(a, b, c);
}

BlockSpec entry(std::int64_t rows, std::int64_t columns) {
  return BlockSpec{{kSqueezed, rows, columns}, [](Index i) { return block(i, 0, 0); }}.in(Space::kHbm);
}

Kernel batched_matmul() {
  return kernel("batched_matmul", {hbm(f32, {3, 16, 384}), hbm(f32, {3, 384, 128})}, {hbm(f32, {3, 16, 128})},
                [](Ref a, Ref b, Ref c) {
                  emit_pipeline(one_entry,
                                {.grid = {3}, .in = {entry(16, 384), entry(384, 128)}, .out = {entry(16, 128)}})(a, b,
                                                                                                                 c);
                });
}

}  // namespace

int main() {
  Array a = Array::linspace(-1, 1, 3 * 16 * 384).reshaped({3, 16, 384});
  Array b = Array::linspace(2, -1, 3 * 384 * 128).reshaped({3, 384, 128});
  Array c = run(batched_matmul(), {a, b});
  double worst = 0;
  for (std::int64_t e = 0; e < 3; ++e) {
    for (std::int64_t i = 0; i < 16; ++i) {
      for (std::int64_t j = 0; j < 128; ++j) {
        double right = 0, scale = 0;
        for (std::int64_t k = 0; k < 384; ++k) {
          double product = a.at({e, i, k}) * b.at({e, k, j});
          right += product;
          scale += std::abs(product);
        }
        worst = std::max(worst, std::abs(c.at({e, i, j}) - right) / scale);
      }
    }
  }
  std::printf("batched_matmul: largest relative difference from the oracle %.3g\n", worst);
  return worst < 1e-6 ? 0 : 1;
}
