// SPDX-License-Identifier: Apache-2.0
// Moves and folds in the frame. Where a move takes each element from is asked of the move itself: it moves the numbers
// of the elements.
#include <algorithm>
#include <numeric>

#include "machine/shadow/core_shadow.h"
#include "machine/tile/tile.h"

namespace millrace::machine::shadow {

using program::Instruction;
using program::Op;

namespace {

std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (std::int64_t n : shape) count *= n;
  return static_cast<std::size_t>(count);
}

std::vector<std::int32_t> numbered(const std::vector<std::int64_t>& shape) {
  std::vector<std::int32_t> numbers(count_of(shape));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

constexpr std::size_t kNumber = sizeof(std::int32_t);

}  // namespace

// Element k of the result is element from[k] of the operand; a negative one stays.
void CoreShadow::take(const Instruction& i, const program::Move& m, std::vector<std::int32_t> from) {
  const std::size_t bytes = from.size() * m.element_bytes;
  room(bytes);
  if (const Label* kept = frame_.labels(i.dst, bytes)) std::copy_n(kept, bytes, room_.begin());
  move(from, m.element_bytes, frame_.labels(i.a, count_of(m.in) * m.element_bytes), room_.data());
  frame_.assign(i.dst, room_);
}

void CoreShadow::moves(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  std::vector<std::int64_t> out = m.out;
  if (i.op == Op::kTranspose)
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = m.in[static_cast<std::size_t>(m.numbers[d])];
  const std::size_t bytes = count_of(out) * m.element_bytes;
  if (frame_.clean(i.a, count_of(m.in) * m.element_bytes)) {
    if (i.op != Op::kConcatenate) return frame_.clear(i.dst, bytes);
    if (frame_.clean(i.dst, bytes)) return;
  }
  const std::vector<std::int32_t> in = numbered(m.in);
  std::vector<std::int32_t> from(count_of(out), -1);
  if (i.op == Op::kBroadcast)
    tile::broadcast(in.data(), m.in, from.data(), m.out, kNumber);
  else if (i.op == Op::kTranspose)
    tile::transpose(in.data(), m.in, m.numbers, from.data(), kNumber);
  else if (i.op == Op::kSlice)
    tile::extract_slice(in.data(), m.in, m.numbers, m.out, from.data(), kNumber);
  else
    tile::concatenate_part(in.data(), m.in, from.data(), m.out, m.numbers[0], m.numbers[1], kNumber);
  take(i, m, std::move(from));
}

// Turned by nobody knows how much, all elements are undefined.
void CoreShadow::rotate(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  const std::size_t bytes = count_of(m.in) * m.element_bytes;
  if (const Label amount = scalar(i.b); amount != kDefined) return frame_.fill(i.dst, bytes, amount);
  if (frame_.clean(i.a, bytes)) return frame_.clear(i.dst, bytes);
  const std::vector<std::int32_t> in = numbered(m.in);
  std::vector<std::int32_t> from(in.size());
  const auto amount = static_cast<std::int32_t>(value_[i.b]);
  if (m.numbers.size() == 3)
    tile::rotate_strided(in.data(), m.in, m.numbers[0], amount, m.numbers[1], m.numbers[2], from.data(), kNumber);
  else
    tile::rotate(in.data(), m.in, m.numbers[0], amount, from.data(), kNumber);
  take(i, m, std::move(from));
}

void CoreShadow::gather(const Instruction& i) {
  const program::Move& m = program_.moves[i.aux];
  const std::size_t n = count_of(m.out), bytes = m.element_bytes;
  const Label* indices = frame_.labels(i.b, n * kNumber);
  if (!indices && frame_.clean(i.a, count_of(m.in) * bytes)) return frame_.clear(i.dst, n * bytes);
  const std::vector<std::int32_t> in = numbered(m.in);
  std::vector<std::int32_t> from(n, -1);
  tile::gather(in.data(), m.in, reinterpret_cast<const std::int32_t*>(data(i.b)), m.out, m.numbers[0], from.data(),
               kNumber);
  room(n * bytes);
  move(from, bytes, frame_.labels(i.a, count_of(m.in) * bytes), room_.data());
  for (std::size_t e = 0; indices && e < n; ++e) {
    Label index = kDefined;
    for (std::size_t k = 0; k < kNumber; ++k) index = labels_.join(index, indices[e * kNumber + k]);
    if (index != kDefined) std::fill_n(room_.begin() + static_cast<std::ptrdiff_t>(e * bytes), bytes, index);
  }
  frame_.assign(i.dst, room_);
}

void CoreShadow::fold(const Instruction& i, std::vector<Label>& labels) {
  Label last = kDefined, folded = kDefined;  // neighbours are alike
  for (Label& l : labels) {
    if (l != last) last = l, folded = labels_.folded(l, i.place);
    l = folded;
  }
  frame_.assign(i.dst, labels);
}

void CoreShadow::reduce(const Instruction& i) {
  const program::Reduction& r = program_.reductions[i.aux];
  const std::size_t from = tile::size_in_bytes(r.element), to = i.op == Op::kReduceIndex ? kNumber : from;
  std::size_t results = 1;
  for (std::size_t d = 0; d < r.shape.size(); ++d)
    if (std::find(r.dimensions.begin(), r.dimensions.end(), static_cast<std::int64_t>(d)) == r.dimensions.end())
      results *= static_cast<std::size_t>(r.shape[d]);
  const Label* in = frame_.labels(i.a, count_of(r.shape) * from);
  const Label* accumulator = i.op == Op::kReduce ? frame_.labels(i.b, results * to) : nullptr;
  if (!in && !accumulator) return frame_.clear(i.dst, results * to);
  shadow::reduce(labels_, r, from, in, accumulator, room(results * to).data(), to);
  fold(i, room_);
}

void CoreShadow::matmul(const Instruction& i) {
  const program::Contraction& c = program_.contractions[i.aux];
  const auto elements = [&](std::int64_t lanes) { return static_cast<std::size_t>(c.batch * lanes * c.depth); };
  const std::size_t out = static_cast<std::size_t>(c.batch * c.rows * c.columns) * tile::size_in_bytes(c.out);
  const Operand lhs{frame_.labels(i.a, elements(c.rows) * tile::size_in_bytes(c.lhs)), data(i.a)},
      rhs{frame_.labels(i.b, elements(c.columns) * tile::size_in_bytes(c.rhs)), data(i.b)};
  const Label* accumulator = frame_.labels(i.c, out);
  if (!lhs.labels && !rhs.labels && !accumulator) return frame_.clear(i.dst, out);
  contract(labels_, c, lhs, rhs, accumulator, room(out).data());
  fold(i, room_);
}

}  // namespace millrace::machine::shadow
