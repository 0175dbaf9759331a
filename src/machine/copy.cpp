// SPDX-License-Identifier: Apache-2.0
#include "machine/copy.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "machine/nest.h"

namespace millrace::machine {

namespace {

// to[b...] = from[a...] for elements of `bytes` bytes.
void run(Nest n, const std::byte* from, std::byte* to, std::int64_t bytes) {
  n.merge();
  const bool dense = n.rank > 0 && n.a[n.rank - 1] == bytes && n.b[n.rank - 1] == bytes;
  const int inner = dense ? n.rank - 1 : n.rank;
  const auto length = static_cast<std::size_t>(dense ? n.size[n.rank - 1] * bytes : bytes);
  walk(n, 0, 0, 0, inner, [&](std::int64_t a, std::int64_t b) { std::memcpy(to + b, from + a, length); });
}

std::int64_t first_byte(const View& v) { return first_element(v) * static_cast<std::int64_t>(v.memory->element_bytes); }

std::int64_t byte_stride(const View& v, int d) {
  return v.step[d] * v.strides[d] * static_cast<std::int64_t>(v.memory->element_bytes);
}

// View on side a, dense tile on side b.
Nest with_tile(const View& v) {
  Nest n;
  std::int64_t dense[event::kMaxRank], stride = element_bytes(v);
  for (int k = v.shown - 1; k >= 0; --k) dense[k] = stride, stride *= v.size[v.dim[k]];
  for (int k = 0; k < v.shown; ++k) n.add(v.size[v.dim[k]], byte_stride(v, v.dim[k]), dense[k]);
  const auto part = static_cast<std::int64_t>(v.memory->element_bytes);
  n.add(v.parts, v.part_stride * part, part);
  return n;
}

// The parts of an element on both sides: those of the side that has fewer are whole runs of the other's.
void add_parts(Nest& n, const View& from, const View& to) {
  const std::int64_t from_part = static_cast<std::int64_t>(from.memory->element_bytes),
                     to_part = static_cast<std::int64_t>(to.memory->element_bytes);
  const std::int64_t from_stride = from.part_stride * from_part, to_stride = to.part_stride * to_part;
  const std::int64_t fewer = std::min(from.parts, to.parts), each = std::max(from.parts, to.parts) / fewer;
  const bool from_fewer = from.parts == fewer, to_fewer = to.parts == fewer;
  n.add(fewer, from_stride * (from_fewer ? 1 : each), to_stride * (to_fewer ? 1 : each));
  n.add(each, from_fewer ? to_part : from_stride, to_fewer ? from_part : to_stride);
}

bool empty(const View& v) { return elements_of(v) == 0; }

void poison(const View& v) {
  std::vector<std::byte> tile(static_cast<std::size_t>(elements_of(v) * element_bytes(v)));
  fill_with_poison(tile.data(), tile.size(), v.element);
  View inside = v;
  for (int d = 0; d < v.rank; ++d) inside.size[d] = v.inside[d];
  store(tile.data(), inside);
}

}  // namespace

void load(const View& from, std::byte* tile) {
  if (empty(from)) return;
  run(with_tile(from), from.memory->read() + first_byte(from), tile,
      static_cast<std::int64_t>(from.memory->element_bytes));
}

const std::byte* as_tile(const View& from) {
  std::int64_t dense = 1;
  if (from.parts > 1) return nullptr;
  for (int k = from.shown - 1; k >= 0; --k) {
    const int d = from.dim[k];
    if (from.size[d] == 1) continue;
    if (from.step[d] * from.strides[d] != dense) return nullptr;
    dense *= from.size[d];
  }
  return from.memory->read() + first_byte(from);
}

void store(const std::byte* tile, const View& to) {
  if (empty(to)) return;
  Nest n = with_tile(to);
  for (int k = 0; k < n.rank; ++k) std::swap(n.a[k], n.b[k]);
  run(n, tile, to.memory->write() + first_byte(to), static_cast<std::int64_t>(to.memory->element_bytes));
}

void store_masked(const std::byte* tile, const std::byte* mask, const View& to) {
  if (empty(to)) return;
  const std::int64_t bytes = element_bytes(to);
  const std::size_t part = to.memory->element_bytes;
  const Nest n = with_tile(to);
  std::byte* base = to.memory->write() + first_byte(to);
  walk(n, 0, 0, 0, n.rank, [&](std::int64_t a, std::int64_t b) {
    if (mask[b / bytes] != std::byte{0}) std::memcpy(base + a, tile + b, part);
  });
}

void copy(const View& from, const View& to) {
  Nest n;
  bool padded = false;
  for (int d = 0; d < from.rank; ++d)
    if (from.inside[d] == 0) return poison(to);
  for (int d = 0; d < to.rank; ++d)
    if (to.inside[d] == 0) return;
  for (int k = 0; k < from.shown; ++k) {
    const int f = from.dim[k], t = to.dim[k];
    padded |= from.inside[f] < from.size[f];
    n.add(std::min(from.inside[f], to.inside[t]), byte_stride(from, f), byte_stride(to, t));
  }
  if (from.parts > 1 || to.parts > 1) add_parts(n, from, to);
  if (padded) poison(to);
  run(n, from.memory->read() + first_byte(from), to.memory->write() + first_byte(to),
      static_cast<std::int64_t>(std::min(from.memory->element_bytes, to.memory->element_bytes)));
}

}  // namespace millrace::machine
