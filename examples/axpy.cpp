// SPDX-License-Identifier: Apache-2.0
// out = 2 x + y over a matrix that is larger than the fast memory: a pipeline of tiles, each loaded while the one
// before is computed. A third window for x and y loads two tiles ahead; the numbers stay the same, bit for bit.
#include <cstdio>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

void axpy(Ref x, Ref y, Ref out) {
  Value a = x.load();
  Value b = y.load();
  out.store(2.0f * a + b);
}

Kernel pipelined(std::int64_t rows, std::int64_t columns, int buffers) {
  MemorySpec matrix = hbm(f32, {rows, columns});
  return kernel("axpy", {matrix, matrix}, {matrix}, [=](Ref x, Ref y, Ref out) {
    auto tile = [](int count) {
      return BlockSpec{{8, 128}, [](Index i, Index j) { return block(i, j); }, Buffered{count}};
    };
    emit_pipeline(axpy, {.grid = {rows / 8, columns / 128}, .in = {tile(buffers), tile(buffers)}, .out = {tile(2)}})(
        x, y, out);
  });
}

// The oracle: plain C++ on the same numbers. 2x is exact in f32, so the kernel must give the same bits.
Array expected(const Array& x, const Array& y) {
  Array out(f32, x.shape());
  for (std::int64_t i = 0; i < x.size(); ++i) {
    out.as<float>()[static_cast<std::size_t>(i)] =
        2.0f * x.as<float>()[static_cast<std::size_t>(i)] + y.as<float>()[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace

int main() {
  const Shape shape{24, 384};
  Array x = Array::linspace(-1, 1, element_count(shape)).reshaped(shape);
  Array y = Array::full(f32, shape, 0.25);
  for (int buffers : {1, 2, 3}) {
    Array out = run(pipelined(shape[0], shape[1], buffers), {x, y});
    if (!same_bits(out, expected(x, y))) {
      std::printf("axpy: FAIL with %d buffers\n", buffers);
      return 1;
    }
  }
  std::printf("axpy: the same bits with 1, 2 and 3 buffers\n");
  return 0;
}
