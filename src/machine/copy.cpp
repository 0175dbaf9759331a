// SPDX-License-Identifier: Apache-2.0
#include "machine/copy.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "machine/nest.h"

namespace millrace::machine {

namespace {

std::int64_t first_byte(const View& v) {
  const std::int64_t whole = first_element(v) * static_cast<std::int64_t>(v.memory->element_bytes);
  return v.split > 1 ? whole + v.start[v.split_dimension] % v.split * part_bytes(v) : whole;
}

std::int64_t byte_stride(const View& v, int d) {
  return v.step[d] * v.strides[d] * static_cast<std::int64_t>(v.memory->element_bytes);
}

// The shown dimension whose rows are parts of the memory's elements, so that no one stride steps through them; or -1.
int split_rows(const View& v) {
  for (int k = 0; v.split > 1 && k < v.shown; ++k)
    if (v.dim[k] == v.split_dimension && v.size[v.dim[k]] != 1) return k;
  return -1;
}

View row_of(View v, int k, std::int64_t row) {
  const int d = v.dim[k];
  v.start[d] += row * v.step[d];
  v.inside[d] = row < v.inside[d] ? 1 : 0;
  v.size[d] = 1;
  return v;
}

// View on side a, dense tile on side b; without dimension `but`, whose stride in the tile is `step`.
Nest with_tile(const View& v, int but, std::int64_t& step) {
  Nest n;
  std::int64_t dense[event::kMaxRank], stride = element_bytes(v);
  for (int k = v.shown - 1; k >= 0; --k) dense[k] = stride, stride *= v.size[v.dim[k]];
  for (int k = 0; k < v.shown; ++k)
    if (k == but)
      step = dense[k];
    else
      n.add(v.size[v.dim[k]], byte_stride(v, v.dim[k]), dense[k]);
  n.add(v.parts, v.part_stride * part_bytes(v), part_bytes(v));
  return n;
}

// Hands a view over in pieces that strides step through: body(loops, first byte in the memory, first byte in the tile).
template <class Body>
void for_each_piece(const View& v, const Body& body) {
  const int k = split_rows(v);
  std::int64_t step = 0;
  const Nest n = with_tile(v, k, step);
  if (k < 0) return body(n, first_byte(v), 0);
  for (std::int64_t row = 0; row < v.size[v.dim[k]]; ++row) body(n, first_byte(row_of(v, k, row)), row * step);
}

// The parts of an element on both sides: those of the side that has fewer are whole runs of the other's.
void add_parts(Nest& n, const View& from, const View& to) {
  const std::int64_t from_part = part_bytes(from), to_part = part_bytes(to);
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
  for_each_piece(from, [&](const Nest& n, std::int64_t at, std::int64_t in_tile) {
    copy_runs(Runs::of(n, part_bytes(from)), from.memory->read() + at, tile + in_tile);
  });
}

const std::byte* as_tile(const View& from) {
  std::int64_t dense = 1;
  if (from.parts > 1 || from.split > 1) return nullptr;
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
  for_each_piece(to, [&](Nest n, std::int64_t at, std::int64_t in_tile) {
    for (int k = 0; k < n.rank; ++k) std::swap(n.a[k], n.b[k]);
    const Runs runs = Runs::of(n, part_bytes(to));
    copy_runs(runs, tile + in_tile, to.memory->write(runs, at));
  });
}

void store_masked(const std::byte* tile, const std::byte* mask, const View& to) {
  if (empty(to)) return;
  const std::int64_t bytes = element_bytes(to);
  const auto part = static_cast<std::size_t>(part_bytes(to));
  for_each_piece(to, [&](const Nest& n, std::int64_t at, std::int64_t in_tile) {
    std::byte* base = to.memory->write() + at;
    walk(n, 0, 0, in_tile, n.rank, [&](std::int64_t a, std::int64_t b) {
      if (mask[b / bytes] != std::byte{0}) std::memcpy(base + a, tile + b, part);
    });
  });
}

void copy(const View& from, const View& to) {
  for (const View* side : {&from, &to}) {
    const int k = split_rows(*side);
    if (k < 0) continue;
    for (std::int64_t row = 0; row < side->size[side->dim[k]]; ++row) copy(row_of(from, k, row), row_of(to, k, row));
    return;
  }
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
  const Runs runs = Runs::of(n, std::min(part_bytes(from), part_bytes(to)));
  std::byte* target = to.memory->write(runs, first_byte(to));
  copy_runs(runs, from.memory->read() + first_byte(from), target);
}

}  // namespace millrace::machine
