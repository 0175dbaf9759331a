// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/cpu_rows_made.h"
#include "bench/kernels.h"
#include "bench/plain.h"

namespace millrace::bench {

namespace {

using target::Together;
using Arrays = std::vector<Array>;

// The first inputs come in blocks of rows, as the output does; the others are one row, the same for every block.
template <class Body>
Kernel of_rows(const std::string& name, Body body, DType dtype, const Shape& shape, std::int64_t block_rows,
               int in_blocks, int whole = 0) {
  const BlockSpec rows{{block_rows, shape[1]}, [](Index i) { return block(i, 0); }};
  GridSpec spec{.grid = {(shape[0] + block_rows - 1) / block_rows}, .semantics = {Dimension::kParallel}};
  spec.in.assign(static_cast<std::size_t>(in_blocks), rows);
  spec.in.insert(spec.in.end(), static_cast<std::size_t>(whole), BlockSpec::whole());
  spec.out = {rows}, spec.out_arrays = {{dtype, shape}};
  return grid_kernel(name, body, spec);
}

void bias_relu_body(Ref x, Ref bias, Ref out) {
  Value a = x.load();
  Value b = bias.load();
  out.store(max(a + b, 0.0f));
}

void softmax_body(Ref x, Ref out) {
  Value v = x.load();
  Value e = exp(v - max(v, over(1)));
  out.store(e / sum(e, over(1)));
}

void layernorm_body(Ref x, Ref scale, Ref shift, Ref out) {
  Value v = x.load();
  const double parts = static_cast<double>(v.shape()[1]);
  Value apart = v - sum(v, over(1)) * static_cast<float>(1 / parts);
  Value factor = rsqrt(sum(apart * apart, over(1)) * static_cast<float>(1 / parts) + 1e-5f);
  out.store(apart * factor * scale.load() + shift.load());
}

}  // namespace

CpuRow axpy_row(DType dtype, const Shape& shape, std::int64_t block_rows) {
  const std::int64_t columns = shape[1];
  CpuRow row{"",
             fmt::format("2x + y, {} {}", name_of(dtype), to_string(shape)),
             of_rows("axpy", axpy_tile, dtype, shape, block_rows, 2),
             {spread_numbers(dtype, shape, 1), spread_numbers(dtype, shape, 2)},
             Array::unset(dtype, shape)};
  row.streamed = {0, 1};
  row.plain = [dtype, columns](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, out.shape()[0], [&](std::int64_t first, std::int64_t count) {
      const std::int64_t at = first * columns, n = count * columns;
      if (dtype == DType::f32) return plain::axpy(f32s(in[0]) + at, f32s(in[1]) + at, f32s(out) + at, n);
      const auto half = [&](const Array& a) { return a.as<std::uint16_t>().data() + at; };
      plain::axpy(half(in[0]), half(in[1]), out.as<std::uint16_t>().data() + at, n);
    });
  };
  row.oracle = [in = row.inputs, columns](std::int64_t i, std::span<double> out) {
    for (std::int64_t j = 0; j < columns; ++j)
      out[static_cast<std::size_t>(j)] = 2 * in[0].flat(i * columns + j) + in[1].flat(i * columns + j);
  };
  return row;
}

CpuRow bias_relu_row(const Shape& shape, std::int64_t block_rows) {
  const std::int64_t columns = shape[1];
  CpuRow row{"",
             "max(x + bias, 0), f32 " + to_string(shape),
             of_rows("bias_relu", bias_relu_body, f32, shape, block_rows, 1, 1),
             {spread_numbers(f32, shape, 3), spread_numbers(f32, {1, columns}, 4)},
             Array::unset(f32, shape)};
  row.streamed = {0};
  row.plain = [columns](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, out.shape()[0], [&](std::int64_t first, std::int64_t count) {
      plain::bias_relu(f32s(in[0]) + first * columns, f32s(in[1]), f32s(out) + first * columns, count, columns);
    });
  };
  row.oracle = [in = row.inputs, columns](std::int64_t i, std::span<double> out) {
    for (std::int64_t j = 0; j < columns; ++j)
      out[static_cast<std::size_t>(j)] = std::max(0.0, in[0].flat(i * columns + j) + in[1].flat(j));
  };
  return row;
}

CpuRow softmax_row(const Shape& shape, std::int64_t block_rows) {
  const std::int64_t columns = shape[1];
  CpuRow row{"",
             "softmax of rows, f32 " + to_string(shape),
             of_rows("softmax", softmax_body, f32, shape, block_rows, 1, 0),
             {spread_numbers(f32, shape, 5, 8)},
             Array::unset(f32, shape)};
  row.streamed = {0};
  row.plain = [columns](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, out.shape()[0], [&](std::int64_t first, std::int64_t count) {
      plain::softmax(f32s(in[0]) + first * columns, f32s(out) + first * columns, count, columns);
    });
  };
  row.oracle = [in = row.inputs, columns](std::int64_t i, std::span<double> out) {
    double sum = 0;
    for (std::int64_t j = 0; j < columns; ++j)
      sum += out[static_cast<std::size_t>(j)] = std::exp(in[0].flat(i * columns + j));
    for (double& v : out) v /= sum;
  };
  row.rtol = 1e-5, row.atol = 1e-9;
  return row;
}

CpuRow layernorm_row(const Shape& shape, std::int64_t block_rows) {
  const std::int64_t columns = shape[1];
  CpuRow row{
      "",
      "layernorm of rows, f32 " + to_string(shape),
      of_rows("layernorm", layernorm_body, f32, shape, block_rows, 1, 2),
      {spread_numbers(f32, shape, 6), spread_numbers(f32, {1, columns}, 7), spread_numbers(f32, {1, columns}, 8)},
      Array::unset(f32, shape)};
  row.streamed = {0};
  row.plain = [columns](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, out.shape()[0], [&](std::int64_t first, std::int64_t count) {
      plain::layernorm(f32s(in[0]) + first * columns, f32s(in[1]), f32s(in[2]), f32s(out) + first * columns, count,
                       columns);
    });
  };
  row.oracle = [in = row.inputs, columns](std::int64_t i, std::span<double> out) {
    double mean = 0, variance = 0;
    for (std::int64_t j = 0; j < columns; ++j) mean += in[0].flat(i * columns + j) / static_cast<double>(columns);
    for (std::int64_t j = 0; j < columns; ++j)
      variance += std::pow(in[0].flat(i * columns + j) - mean, 2) / static_cast<double>(columns);
    for (std::int64_t j = 0; j < columns; ++j)
      out[static_cast<std::size_t>(j)] =
          (in[0].flat(i * columns + j) - mean) / std::sqrt(variance + 1e-5) * in[1].flat(j) + in[2].flat(j);
  };
  row.rtol = 1e-5, row.atol = 1e-5;
  return row;
}

}  // namespace millrace::bench
