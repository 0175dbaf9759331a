// SPDX-License-Identifier: Apache-2.0
// From an operation's name and an element type to its loop.
#include "machine/tile/tables.h"

namespace millrace::tile {
namespace {

template <class Entry>
const Entry* row_named(std::initializer_list<std::span<const Entry>> tables, std::string_view op) {
  for (const auto& table : tables) {
    for (const Entry& entry : table) {
      if (entry.op == op) return &entry;
    }
  }
  return nullptr;
}

Binary find_binary(std::string_view op, Element element, Second second) {
  const auto* row = row_named<BinaryEntry>({float_binary_table(), math_binary_table(), integer_binary_table()}, op);
  return row ? row->find(element, second) : nullptr;
}

}  // namespace

std::size_t size_in_bytes(Element element) {
  switch (element) {
    case Element::kF32:
    case Element::kI32: return 4;
    case Element::kBF16:
    case Element::kF16:
    case Element::kI16: return 2;
    case Element::kF8E5M2:
    case Element::kF8E4M3FN:
    case Element::kF8E4M3B11FNUZ:
    case Element::kI1:
    case Element::kI2:
    case Element::kI4:
    case Element::kI8: return 1;
    case Element::kF64:
    case Element::kI64:
    case Element::kIndex: return 8;
    case Element::kSemaphore:
    case Element::kDmaSemaphore: return 0;  // semaphores are never in a tile
  }
  return 0;
}

Unary unary(std::string_view op, Element element) {
  const auto* row = row_named<UnaryEntry>({float_unary_table(), math_unary_table(), integer_unary_table()}, op);
  return row ? row->find(element) : nullptr;
}

Binary binary(std::string_view op, Element element) { return find_binary(op, element, Second::kTile); }

Binary binary_with_scalar(std::string_view op, Element element) { return find_binary(op, element, Second::kScalar); }

}  // namespace millrace::tile
