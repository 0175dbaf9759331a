// SPDX-License-Identifier: Apache-2.0
#include "bench/cpu_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bench/cpu_rows_made.h"

namespace millrace::bench {

namespace {

struct Entry {
  std::string name;
  CpuRow (*make)(bool small);
};

// In cache: three arrays of 512 KiB; out of it: of 64 MiB.
const Shape kLarge{8192, 2048}, kCached{256, 512}, kRows{8192, 1024}, kOdd{37, 129};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"cpu-axpy-f32", [](bool s) { return s ? axpy_row(f32, kOdd, 8) : axpy_row(f32, kLarge, 256); }},
      {"cpu-axpy-f32-cached",
       [](bool s) {
         return s ? axpy_row(f32, {16, 128}, 8) : axpy_row(f32, kCached, 64);
       }},
      {"cpu-axpy-bf16", [](bool s) { return s ? axpy_row(bf16, kOdd, 16) : axpy_row(bf16, kLarge, 256); }},
      {"cpu-axpy-bf16-cached",
       [](bool s) {
         return s ? axpy_row(bf16, {16, 128}, 16) : axpy_row(bf16, kCached, 64);
       }},
      {"cpu-bias-relu", [](bool s) { return s ? bias_relu_row(kOdd, 8) : bias_relu_row(kLarge, 256); }},
      {"cpu-softmax", [](bool s) { return s ? softmax_row(kOdd, 8) : softmax_row(kRows, 128); }},
      {"cpu-layernorm", [](bool s) { return s ? layernorm_row(kOdd, 8) : layernorm_row(kRows, 128); }},
      {"cpu-matmul-1024", [](bool s) { return s ? matmul_row(96, 32) : matmul_row(1024, 512); }},
      {"cpu-matmul-4096", [](bool s) { return s ? matmul_row(128, 64) : matmul_row(4096, 512); }},
      {"cpu-attention", [](bool s) { return s ? attention_row(96, 16, 32, 48) : attention_row(2048, 128, 256, 512); }},
  };
  return all;
}

float rounded_to(DType dtype, double value) { return static_cast<float>(Array::full(dtype, {1}, value).flat(0)); }

}  // namespace

Array spread_numbers(DType dtype, const Shape& shape, std::uint32_t seed, double scale) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape)));
  for (float& v : values) {
    seed = seed * 1664525 + 1013904223;
    v = static_cast<float>(scale * (static_cast<double>((seed >> 8) | 1) / (1 << 23) - 1));
  }
  const Array wide = Array::from(values, shape);
  return dtype == DType::f32 ? wide : wide.cast(dtype);
}

std::vector<std::string> cpu_row_names() {
  std::vector<std::string> names;
  for (const Entry& e : entries()) names.push_back(e.name);
  return names;
}

CpuRow cpu_row(const std::string& name, Sizes sizes) {
  for (const Entry& e : entries()) {
    if (e.name != name) continue;
    CpuRow row = e.make(sizes == Sizes::kSmall);
    row.name = name;
    return row;
  }
  throw Error(ErrorCode::kUser,
              fmt::format("there is no kernel `{}`; there are {}", name, fmt::join(cpu_row_names(), ", ")));
}

Judged judge(const CpuRow& row, const Array& out) {
  if (out.shape() != row.like.shape() || out.dtype() != row.like.dtype()) return {INFINITY, false};
  const std::int64_t rows = out.shape()[0], columns = out.shape()[1];
  const std::int64_t checked = row.oracle_rows == 0 ? rows : std::min(rows, row.oracle_rows);
  const bool exact = row.rtol == 0 && row.atol == 0;
  std::vector<double> expected(static_cast<std::size_t>(columns));
  Judged judged{0, true};
  for (std::int64_t c = 0; c < checked; ++c) {
    const std::int64_t i = checked == 1 ? 0 : c * (rows - 1) / (checked - 1);
    row.oracle(i, expected);
    for (std::int64_t j = 0; j < columns; ++j) {
      double right = expected[static_cast<std::size_t>(j)];
      if (exact && out.dtype() == DType::f32) right = static_cast<float>(right);
      if (exact && out.dtype() != DType::f32) right = rounded_to(out.dtype(), right);
      const double error = std::abs(out.flat(i * columns + j) - right);
      judged.max_abs_error = std::isnan(error) ? INFINITY : std::max(judged.max_abs_error, error);
      if (!(error <= row.atol + row.rtol * std::abs(right))) judged.passed = false;
    }
  }
  return judged;
}

}  // namespace millrace::bench
