// SPDX-License-Identifier: Apache-2.0
// The softmax of each row: a grid kernel that sees eight rows at a time.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

void softmax_rows(Ref x, Ref out) {
  Value v = x.load();                  // (8, 512)
  Value e = exp(v - max(v, over(1)));  // a reduction keeps its axis: (8, 1)
  out.store(e / sum(e, over(1)));
}

// The oracle: in double, one row after the other.
std::vector<double> expected(const Array& x) {
  const std::int64_t rows = x.shape()[0], columns = x.shape()[1];
  std::vector<double> out;
  for (std::int64_t i = 0; i < rows; ++i) {
    double largest = -INFINITY, total = 0;
    for (std::int64_t j = 0; j < columns; ++j) largest = std::max(largest, x.at({i, j}));
    for (std::int64_t j = 0; j < columns; ++j) total += std::exp(x.at({i, j}) - largest);
    for (std::int64_t j = 0; j < columns; ++j) out.push_back(std::exp(x.at({i, j}) - largest) / total);
  }
  return out;
}

}  // namespace

int main() {
  auto rows = BlockSpec{{8, 512}, [](Index i) { return block(i, 0); }};
  Kernel softmax = grid_kernel("softmax", softmax_rows, {.grid = {4}, .in = {rows}, .out = {rows}});

  Array x = Array::linspace(-4, 4, 32 * 512).reshaped({32, 512});
  Array out = run(softmax, {x});
  std::vector<double> right = expected(x);
  double worst = 0;
  for (std::int64_t i = 0; i < out.size(); ++i) {
    worst = std::max(worst, std::abs(out.flat(i) - right[static_cast<std::size_t>(i)]));
  }
  std::printf("softmax: largest difference from the oracle %.3g\n", worst);
  return worst < 1e-7 ? 0 : 1;
}
