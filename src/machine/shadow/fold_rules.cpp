// SPDX-License-Identifier: Apache-2.0
// Reductions and contractions: each result takes in everything that is folded into it.
#include <algorithm>
#include <cstring>
#include <vector>

#include "machine/shadow/tile_rules.h"
#include "machine/tile/tile.h"

namespace millrace::machine::shadow {

namespace {

Label joined(Labels& labels, const Label* of, std::size_t element, std::size_t bytes) {
  return of ? shadow::joined(labels, of + element * bytes, bytes) : kDefined;
}

constexpr std::int64_t kTogether = 8;  // elements; most are defined

bool all_defined(const Label* labels, std::int64_t n) {
  Label any = kDefined;
  for (std::int64_t k = 0; k < n; ++k) any |= labels[k];
  return any == kDefined;
}

bool is_zero(const Operand& x, std::size_t element, std::size_t bytes) {
  const std::byte* v = x.data + element * bytes;
  return std::all_of(v, v + bytes, [](std::byte b) { return b == std::byte{0}; });
}

// One side of a contraction: its elements by (batch, lane, k), where a lane is a row or a column.
struct Factor {
  Operand tile;
  std::size_t bytes;
  std::int64_t batch, lane, k;  // strides

  std::size_t at(std::int64_t b, std::int64_t l, std::int64_t d) const {
    return static_cast<std::size_t>(b * batch + l * lane + d * k);
  }
};

// Adds to sums (of one batch) what undefined elements of x bring. Of integers, 0 times anything is 0.
void spread(Labels& labels, const Factor& x, const Factor& y, std::int64_t batch, std::int64_t lanes,
            std::int64_t others, std::int64_t depth, bool zeros, Label* sums, std::int64_t lane_stride,
            std::int64_t other_stride) {
  if (!x.tile.labels) return;
  for (std::int64_t l = 0; l < lanes; ++l) {
    Label all = kDefined;
    for (std::int64_t d = 0; d < depth; ++d) {
      const Label label = joined(labels, x.tile.labels, x.at(batch, l, d), x.bytes);
      if (label == kDefined) continue;
      all = labels.join(all, label);
      for (std::int64_t o = 0; zeros && o < others; ++o) {
        const std::size_t partner = y.at(batch, o, d);
        if (is_zero(y.tile, partner, y.bytes) && joined(labels, y.tile.labels, partner, y.bytes) == kDefined) continue;
        Label& sum = sums[l * lane_stride + o * other_stride];
        sum = labels.join(sum, label);
      }
    }
    for (std::int64_t o = 0; !zeros && all != kDefined && o < others; ++o) {
      Label& sum = sums[l * lane_stride + o * other_stride];
      sum = labels.join(sum, all);
    }
  }
}

}  // namespace

void reduce(Labels& labels, const program::Reduction& r, std::size_t from_bytes, const Label* in,
            const Label* accumulator, Label* out, std::size_t to_bytes) {
  const std::size_t rank = r.shape.size();
  std::vector<std::int64_t> step(rank, 0), index(rank, 0);  // into the results
  std::int64_t results = 1, count = 1;
  for (std::size_t d = rank; d-- > 0;) {
    count *= r.shape[d];
    if (std::find(r.dimensions.begin(), r.dimensions.end(), static_cast<std::int64_t>(d)) != r.dimensions.end())
      continue;
    step[d] = results, results *= r.shape[d];
  }
  std::vector<Label> sums(static_cast<std::size_t>(results));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = joined(labels, accumulator, i, to_bytes);
  const auto element = static_cast<std::int64_t>(from_bytes);
  const std::int64_t row = rank == 0 ? 1 : r.shape.back(), apart = rank == 0 ? 0 : step.back();
  std::int64_t to = 0;  // of the first element of a row
  for (std::int64_t i = 0; in && i < count; i += row) {
    for (std::int64_t k = 0; k < row; ++k) {
      if (k % kTogether == 0 && k + kTogether <= row && all_defined(in + (i + k) * element, kTogether * element)) {
        k += kTogether - 1;
        continue;
      }
      const Label label = joined(labels, in, static_cast<std::size_t>(i + k), from_bytes);
      if (label == kDefined) continue;
      Label& sum = sums[static_cast<std::size_t>(to + k * apart)];
      sum = labels.join(sum, label);
    }
    for (std::size_t d = rank - 1; rank > 0 && d-- > 0;) {
      to += step[d];
      if (++index[d] < r.shape[d]) break;
      to -= step[d] * r.shape[d];
      index[d] = 0;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) std::fill_n(out + i * to_bytes, to_bytes, sums[i]);
}

void contract(Labels& labels, const program::Contraction& c, Operand lhs, Operand rhs, const Label* accumulator,
              Label* out) {
  const Factor left{lhs, tile::size_in_bytes(c.lhs), c.lhs_stride[0], c.lhs_stride[1], c.lhs_stride[2]},
      right{rhs, tile::size_in_bytes(c.rhs), c.rhs_stride[0], c.rhs_stride[2], c.rhs_stride[1]};
  const std::size_t bytes = tile::size_in_bytes(c.out);
  const bool zeros = c.out == Element::kI32;
  const std::int64_t plane = c.rows * c.columns;
  std::vector<Label> sums(static_cast<std::size_t>(c.batch * plane));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = joined(labels, accumulator, i, bytes);
  for (std::int64_t b = 0; b < c.batch; ++b) {
    Label* of_batch = sums.data() + b * plane;
    spread(labels, left, right, b, c.rows, c.columns, c.depth, zeros, of_batch, c.columns, 1);
    spread(labels, right, left, b, c.columns, c.rows, c.depth, zeros, of_batch, 1, c.columns);
  }
  for (std::size_t i = 0; i < sums.size(); ++i) std::fill_n(out + i * bytes, bytes, sums[i]);
}

}  // namespace millrace::machine::shadow
