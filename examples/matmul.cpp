// SPDX-License-Identifier: Apache-2.0
// A blocked matrix product. The innermost axis of the grid runs over the blocks of the inner dimension; the output's
// window stays while they are added up, and is written back once.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

void step(Ref a, Ref b, Ref c) {
  when(program_id(2) == 0, [&] { c.store(zeros_like(c)); });
  Value product = dot(a.load(), b.load(), Precision::kHighest);
  c.store(c.load() + product);
}

Kernel matmul(std::int64_t m, std::int64_t n, std::int64_t k) {
  return grid_kernel("matmul", step,
                     {.grid = {m / 128, n / 128, k / 128},
                      .in = {{{128, 128}, [](Index i, Index, Index l) { return block(i, l); }},
                             {{128, 128}, [](Index, Index j, Index l) { return block(l, j); }}},
                      .out = {{{128, 128}, [](Index i, Index j, Index) { return block(i, j); }}}});
}

// The oracle: in double, without blocks. Gives the largest difference, relative to the sum of absolute products.
double worst_difference(const Array& a, const Array& b, const Array& c) {
  const std::int64_t m = a.shape()[0], k = a.shape()[1], n = b.shape()[1];
  double worst = 0;
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double right = 0, scale = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        double product = a.at({i, l}) * b.at({l, j});
        right += product;
        scale += std::abs(product);
      }
      worst = std::max(worst, std::abs(c.at({i, j}) - right) / scale);
    }
  }
  return worst;
}

}  // namespace

int main() {
  Array a = Array::linspace(-1, 1, 256 * 384).reshaped({256, 384});
  Array b = Array::linspace(2, -1, 384 * 128).reshaped({384, 128});
  Array c = run(matmul(256, 128, 384), {a, b});
  double worst = worst_difference(a, b, c);
  std::printf("matmul: largest relative difference from the oracle %.3g\n", worst);
  return worst < 1e-6 ? 0 : 1;
}
