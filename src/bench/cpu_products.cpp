// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/cpu_rows_made.h"
#include "bench/plain.h"
#include "target/cpu/matmul.h"

namespace millrace::bench {

namespace {

using target::Together;
using Arrays = std::vector<Array>;

void matmul_step(Ref a, Ref b, Ref c) {
  when(program_id(2) == 0, [&] { c.store(zeros_like(c)); });
  Value product = dot(a.load(), b.load(), Precision::kHighest);
  c.store(c.load() + product);
}

Kernel matmul_kernel(std::int64_t n, std::int64_t block_size) {
  const std::int64_t steps = n / block_size;
  const Shape block_shape{block_size, block_size};
  return grid_kernel("matmul", matmul_step,
                     {.grid = {steps, steps, steps},
                      .semantics = {Dimension::kParallel, Dimension::kParallel, Dimension::kArbitrary},
                      .in = {{block_shape, [](Index i, Index, Index l) { return block(i, l); }},
                             {block_shape, [](Index, Index j, Index l) { return block(l, j); }}},
                      .out = {{block_shape, [](Index i, Index j, Index) { return block(i, j); }}}});
}

// Row i of a (rows, k) b (k, n) in double.
void product_row(const float* a, const float* b, std::int64_t i, std::int64_t k, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  const auto n = static_cast<std::int64_t>(out.size());
  for (std::int64_t l = 0; l < k; ++l)
    for (std::int64_t j = 0; j < n; ++j)
      out[static_cast<std::size_t>(j)] += double(a[i * k + l]) * double(b[l * n + j]);
}

// The body of one pass over the keys: a running maximum, a running sum, and what the weights have gathered so far.
struct AttentionStep {
  std::int64_t rows, depth, last;

  void operator()(Ref q, Ref k, Ref v, Ref out, Ref largest, Ref total, Ref sum_of) const {
    when(program_id(1) == 0, [&] {
      largest.store(full(f32, {rows, 1}, -1e30));
      total.store(zeros(f32, {rows, 1}));
      sum_of.store(zeros(f32, {rows, depth}));
    });
    Value scores = dot(q.load(), transpose(k.load()), Precision::kHighest);
    Value before = largest.load();
    Value now = max(before, max(scores, over(1)));
    Value weights = exp(scores - now);
    Value fade = exp(before - now);
    largest.store(now);
    total.store(fade * total.load() + sum(weights, over(1)));
    Value product = dot(weights, v.load(), Precision::kHighest);
    sum_of.store(fade * sum_of.load() + product);
    when(program_id(1) == static_cast<int>(last), [&] { out.store(sum_of.load() / total.load()); });
  }
};

Kernel attention_kernel(std::int64_t length, std::int64_t depth, std::int64_t query_block, std::int64_t key_block) {
  const BlockSpec rows{{query_block, depth}, [](Index i, Index) { return block(i, 0); }},
      keys{{key_block, depth}, [](Index, Index j) { return block(j, 0); }};
  const AttentionStep step{query_block, depth, length / key_block - 1};
  return grid_kernel(
      "attention",
      [step](Ref q, Ref k, Ref v, Ref out, Ref largest, Ref total, Ref sum_of) {
        step(q, k, v, out, largest, total, sum_of);
      },
      {.grid = {length / query_block, length / key_block},
       .semantics = {Dimension::kParallel, Dimension::kArbitrary},
       .in = {rows, keys, keys},
       .out = {rows},
       .scratch = {vmem(f32, {query_block, 1}), vmem(f32, {query_block, 1}), vmem(f32, {query_block, depth})}});
}

}  // namespace

CpuRow matmul_row(std::int64_t n, std::int64_t block) {
  CpuRow row{"",
             fmt::format("matmul {0}x{0}x{0}, f32, blocks of {1}", n, block),
             matmul_kernel(n, block),
             {spread_numbers(f32, {n, n}, 11), spread_numbers(f32, {n, n}, 12)},
             Array::unset(f32, {n, n})};
  const double size = static_cast<double>(n);
  row.flops = 2 * size * size * size;
  row.plain = [n](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, n, [&](std::int64_t first, std::int64_t count) {
      plain::matmul(f32s(in[0]) + first * n, f32s(in[1]), f32s(out) + first * n, count, n, n);
    });
  };
  row.library = [n](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, n, [&](std::int64_t first, std::int64_t count) {
      target::matmul(count, n, n, {f32s(in[0]) + first * n, n}, {f32s(in[1]), n}, f32s(out) + first * n, n, false);
    });
  };
  row.oracle = [a = row.inputs[0], b = row.inputs[1], n](std::int64_t i, std::span<double> out) {
    product_row(f32s(a), f32s(b), i, n, out);
  };
  row.oracle_rows = 12;
  row.rtol = 1e-5, row.atol = 2e-7 * size;
  return row;
}

CpuRow attention_row(std::int64_t length, std::int64_t depth, std::int64_t query_block, std::int64_t key_block) {
  CpuRow row{"",
             fmt::format("attention of {} queries to as many keys of depth {}, f32, blocks of {} and {}", length, depth,
                         query_block, key_block),
             attention_kernel(length, depth, query_block, key_block),
             {spread_numbers(f32, {length, depth}, 13), spread_numbers(f32, {length, depth}, 14),
              spread_numbers(f32, {length, depth}, 15)},
             Array::unset(f32, {length, depth})};
  row.flops = 4.0 * static_cast<double>(length) * static_cast<double>(length) * static_cast<double>(depth);
  row.plain = [length, depth](const Arrays& in, Array& out, Together& threads) {
    by_rows(threads, length, [&](std::int64_t first, std::int64_t count) {
      plain::attention(f32s(in[0]) + first * depth, f32s(in[1]), f32s(in[2]), f32s(out) + first * depth, count, length,
                       depth);
    });
  };
  row.oracle = [in = row.inputs, length, depth](std::int64_t i, std::span<double> out) {
    std::vector<double> weights(static_cast<std::size_t>(length));
    double sum = 0;
    for (std::int64_t j = 0; j < length; ++j) {
      double score = 0;
      for (std::int64_t d = 0; d < depth; ++d)
        score += double(f32s(in[0])[i * depth + d]) * double(f32s(in[1])[j * depth + d]);
      sum += weights[static_cast<std::size_t>(j)] = std::exp(score);
    }
    std::fill(out.begin(), out.end(), 0.0);
    for (std::int64_t j = 0; j < length; ++j)
      for (std::int64_t d = 0; d < depth; ++d)
        out[static_cast<std::size_t>(d)] += weights[static_cast<std::size_t>(j)] / sum * f32s(in[2])[j * depth + d];
  };
  row.oracle_rows = 24;
  row.rtol = 1e-4, row.atol = 1e-5;
  return row;
}

}  // namespace millrace::bench
