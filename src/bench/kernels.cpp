// SPDX-License-Identifier: Apache-2.0
#include "bench/kernels.h"

#include <utility>

namespace millrace::bench {

namespace {

void matmul_step(Ref a, Ref b, Ref c) {
  when(program_id(2) == 0, [&] { c.store(zeros_like(c)); });
  Value product = dot(a.load(), b.load(), Precision::kHighest);
  c.store(c.load() + product);
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

}  // namespace

void axpy_tile(Ref x, Ref y, Ref out) {
  Value a = x.load();
  Value b = y.load();
  out.store(2.0f * a + b);
}

Kernel matmul_kernel(std::int64_t n, std::int64_t block_size, std::vector<Dimension> semantics) {
  const std::int64_t steps = n / block_size;
  const Shape block_shape{block_size, block_size};
  return grid_kernel("matmul", matmul_step,
                     {.grid = {steps, steps, steps},
                      .semantics = std::move(semantics),
                      .in = {{block_shape, [](Index i, Index, Index l) { return block(i, l); }},
                             {block_shape, [](Index, Index j, Index l) { return block(l, j); }}},
                      .out = {{block_shape, [](Index i, Index j, Index) { return block(i, j); }}}});
}

Kernel attention_kernel(const std::string& name, const AttentionSizes& sizes, std::vector<Dimension> semantics) {
  const auto [length, depth, query_block, key_block] = sizes;
  const BlockSpec rows{{query_block, depth}, [](Index i, Index) { return block(i, 0); }},
      keys{{key_block, depth}, [](Index, Index j) { return block(j, 0); }};
  return grid_kernel(
      name, AttentionStep{query_block, depth, length / key_block - 1},
      {.grid = {length / query_block, length / key_block},
       .semantics = std::move(semantics),
       .in = {rows, keys, keys},
       .out = {rows},
       .scratch = {vmem(f32, {query_block, 1}), vmem(f32, {query_block, 1}), vmem(f32, {query_block, depth})}});
}

}  // namespace millrace::bench
