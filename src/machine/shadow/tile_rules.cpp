// SPDX-License-Identifier: Apache-2.0
// Element by element, and moves.
#include "machine/shadow/tile_rules.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>

#include "machine/tile/tile.h"

namespace millrace::machine::shadow {

namespace {

Label at(const Label* labels, std::size_t i) { return labels ? labels[i] : kDefined; }

Label join_all(Labels& labels, const Label* element, std::size_t bytes) {
  return element ? joined(labels, element, bytes) : kDefined;
}

// One element of a binary operation.
struct Pair {
  const Label *a, *b;        // null: defined
  const std::byte *va, *vb;  // the values
  std::size_t bytes;
  std::byte ones;  // all bits set, in a byte of this type

  bool defined(const Label* x) const {
    return !x || std::all_of(x, x + bytes, [](Label l) { return l == kDefined; });
  }
};

// A defined byte of this value makes the result's byte defined, whatever the other is.
void absorb(Labels& labels, const Pair& p, std::byte value, Label* out) {
  for (std::size_t k = 0; k < p.bytes; ++k) {
    const Label a = at(p.a, k), b = at(p.b, k);
    const bool decided = (a == kDefined && p.va[k] == value) || (b == kDefined && p.vb[k] == value);
    out[k] = decided ? kDefined : labels.join(a, b);
  }
}

void carry(Labels& labels, const Pair& p, Label* out) {
  Label below = kDefined;
  for (std::size_t k = 0; k < p.bytes; ++k) out[k] = below = labels.join(below, labels.join(at(p.a, k), at(p.b, k)));
}

void product(Labels& labels, const Pair& p, Label* out) {
  const auto zero = [&](const Label* x, const std::byte* v) {
    return p.defined(x) && std::all_of(v, v + p.bytes, [](std::byte b) { return b == std::byte{0}; });
  };
  if (zero(p.a, p.va) || zero(p.b, p.vb))
    std::fill_n(out, p.bytes, kDefined);
  else
    carry(labels, p, out);
}

// An undefined amount moves every bit who knows where. From the width on no bit of the value is left but its sign.
void shift(Labels& labels, Rule rule, const Pair& p, Label* out) {
  const Label amount = join_all(labels, p.b, p.bytes);
  if (amount != kDefined) return void(std::fill_n(out, p.bytes, amount));
  std::uint64_t by = 0;
  std::memcpy(&by, p.vb, p.bytes);
  const auto width = static_cast<std::int64_t>(8 * p.bytes);
  const std::int64_t up = rule == Rule::kShiftLeft ? static_cast<std::int64_t>(std::min<std::uint64_t>(by, 64))
                                                   : -static_cast<std::int64_t>(std::min<std::uint64_t>(by, 64));
  for (std::int64_t k = 0; k < width / 8; ++k) {
    Label result = kDefined;
    for (std::int64_t bit : {8 * k - up, 8 * k + 7 - up}) {  // a byte comes from at most two
      if (bit >= width && rule == Rule::kShiftRightSigned) bit = width - 1;
      if (bit >= 0 && bit < width) result = labels.join(result, at(p.a, static_cast<std::size_t>(bit / 8)));
    }
    out[k] = result;
  }
}

void whole(Labels& labels, const Pair& p, Label* out, std::size_t to_bytes) {
  std::fill_n(out, to_bytes, labels.join(join_all(labels, p.a, p.bytes), join_all(labels, p.b, p.bytes)));
}

void one(Labels& labels, Rule rule, const Pair& p, Label* out, std::size_t to_bytes) {
  switch (rule) {
    case Rule::kBytes:
      for (std::size_t k = 0; k < p.bytes; ++k) out[k] = labels.join(at(p.a, k), at(p.b, k));
      return;
    case Rule::kAnd: return absorb(labels, p, std::byte{0}, out);
    case Rule::kOr: return absorb(labels, p, p.ones, out);
    case Rule::kCarry: return carry(labels, p, out);
    case Rule::kProduct: return product(labels, p, out);
    case Rule::kShiftLeft:
    case Rule::kShiftRight:
    case Rule::kShiftRightSigned: return shift(labels, rule, p, out);
    default: return whole(labels, p, out, to_bytes);
  }
}

// The common case, without a detour; neighbours are alike more often than not. kBytes: of an element on both sides, or
// 0 where only `bytes` and `to_bytes` know.
template <std::size_t kBytes>
void all_bytes(Labels& labels, std::size_t n, std::size_t bytes, Operand a, Operand b, Label* out,
               std::size_t to_bytes) {
  if (kBytes != 0) bytes = to_bytes = kBytes;
  const Label of_one = b.one ? join_all(labels, b.labels, bytes) : kDefined;
  const Label *left = a.labels, *right = b.one ? nullptr : b.labels;
  Label last_a = kDefined, last_b = kDefined, both = kDefined;
  for (std::size_t i = 0; i < n; ++i, out += to_bytes) {
    const Label of_a = left ? joined(labels, left + i * bytes, bytes) : kDefined,
                of_b = right ? joined(labels, right + i * bytes, bytes) : of_one;
    if (of_a != last_a || of_b != last_b) last_a = of_a, last_b = of_b, both = labels.join(of_a, of_b);
    for (std::size_t k = 0; k < to_bytes; ++k) out[k] = both;
  }
}

}  // namespace

Rule rule_of(const program::Elementwise& operation) {
  static const std::map<std::string_view, Rule> rules = {
      {"arith.andi", Rule::kAnd},        {"arith.ori", Rule::kOr},           {"arith.xori", Rule::kBytes},
      {"arith.addi", Rule::kCarry},      {"arith.subi", Rule::kCarry},       {"arith.muli", Rule::kProduct},
      {"arith.shli", Rule::kShiftLeft},  {"arith.shrui", Rule::kShiftRight}, {"arith.shrsi", Rule::kShiftRightSigned},
      {"arith.trunci", Rule::kTruncate}, {"arith.extui", Rule::kExtendZero}, {"arith.extsi", Rule::kExtendSign},
  };
  const auto rule = rules.find(operation.op);
  return rule == rules.end() ? Rule::kWhole : rule->second;
}

void unary(Labels& labels, Rule rule, std::size_t n, Operand a, std::size_t from_bytes, Label* out,
           std::size_t to_bytes) {
  for (std::size_t i = 0; i < n; ++i, out += to_bytes) {
    const Label* in = a.labels ? a.labels + i * from_bytes : nullptr;
    const std::size_t both = std::min(from_bytes, to_bytes);
    if (rule != Rule::kTruncate && rule != Rule::kExtendZero && rule != Rule::kExtendSign) {
      std::fill_n(out, to_bytes, join_all(labels, in, from_bytes));
      continue;
    }
    for (std::size_t k = 0; k < both; ++k) out[k] = at(in, k);
    std::fill(out + both, out + to_bytes, rule == Rule::kExtendSign ? at(in, from_bytes - 1) : kDefined);
  }
}

void binary(Labels& labels, Rule rule, Element element, std::size_t n, Operand a, Operand b, Label* out,
            std::size_t to_bytes) {
  const std::size_t bytes = tile::size_in_bytes(element);
  if (rule == Rule::kWhole) {
    const bool words = bytes == 4 && to_bytes == 4;
    return (words ? all_bytes<4> : all_bytes<0>)(labels, n, bytes, a, b, out, to_bytes);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t left = a.one ? 0 : i * bytes, right = b.one ? 0 : i * bytes;
    const Pair pair{a.labels ? a.labels + left : nullptr,
                    b.labels ? b.labels + right : nullptr,
                    a.data + left,
                    b.data + right,
                    bytes,
                    element == Element::kI1 ? std::byte{1} : std::byte{0xff}};
    one(labels, rule, pair, out + i * to_bytes, to_bytes);
  }
}

void select(std::size_t n, std::size_t bytes, Operand condition, const Label* yes, const Label* no, Label* out) {
  for (std::size_t i = 0; i < n; ++i, out += bytes) {
    if (const Label c = at(condition.labels, i); c != kDefined) {
      std::fill_n(out, bytes, c);
      continue;
    }
    const Label* chosen = condition.data[i] != std::byte{0} ? yes : no;
    for (std::size_t k = 0; k < bytes; ++k) out[k] = at(chosen, i * bytes + k);
  }
}

void move(std::span<const std::int32_t> from, std::size_t bytes, const Label* in, Label* out) {
  for (std::size_t i = 0; i < from.size(); ++i, out += bytes) {
    if (from[i] < 0) continue;
    for (std::size_t k = 0; k < bytes; ++k) out[k] = at(in, static_cast<std::size_t>(from[i]) * bytes + k);
  }
}

}  // namespace millrace::machine::shadow
