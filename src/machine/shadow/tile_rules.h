// SPDX-License-Identifier: Apache-2.0
// How definedness goes through arithmetic on tiles (docs/semantics.md, S7): labels in, labels out. All labels are by
// byte of the tile; null stands for a tile that is wholly defined.
#pragma once

#include <cstddef>
#include <span>

#include "machine/shadow/labels.h"
#include "program/program.h"

namespace millrace::machine::shadow {

using mosaic::Element;

// What a byte of the result depends on.
enum class Rule : std::uint8_t {
  kWhole,      // every byte of the operands' element
  kBytes,      // the same byte
  kAnd,        // the same byte; a defined 0 decides alone
  kOr,         // the same byte; defined ones decide alone
  kCarry,      // this byte and those below: sums and differences
  kProduct,    // this byte and those below; a defined zero decides alone
  kShiftLeft,  // the bytes that the shift brings there
  kShiftRight,
  kShiftRightSigned,
  kTruncate,  // the low bytes
  kExtendZero,
  kExtendSign,
};
Rule rule_of(const program::Elementwise& operation);

// Of all bytes of an element.
inline Label joined(Labels& labels, const Label* element, std::size_t bytes) {
  Label all = element[0];
  for (std::size_t k = 1; k < bytes; ++k) all = labels.join(all, element[k]);
  return all;
}

struct Operand {
  const Label* labels = nullptr;
  const std::byte* data = nullptr;
  bool one = false;  // one element for all
};

void unary(Labels& labels, Rule rule, std::size_t n, Operand a, std::size_t from_bytes, Label* out,
           std::size_t to_bytes);
// Of elements of type `element`; the result has `to_bytes` each.
void binary(Labels& labels, Rule rule, Element element, std::size_t n, Operand a, Operand b, Label* out,
            std::size_t to_bytes);
// An undefined condition makes the result undefined, whatever stands to choose from.
void select(std::size_t n, std::size_t bytes, Operand condition, const Label* yes, const Label* no, Label* out);
void reduce(Labels& labels, const program::Reduction& r, std::size_t from_bytes, const Label* in,
            const Label* accumulator, Label* out, std::size_t to_bytes);
void contract(Labels& labels, const program::Contraction& c, Operand lhs, Operand rhs, const Label* accumulator,
              Label* out);
// Element i of the result is element from[i] of the operand; a negative one is left as it is.
void move(std::span<const std::int32_t> from, std::size_t bytes, const Label* in, Label* out);

}  // namespace millrace::machine::shadow
