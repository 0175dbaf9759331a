// SPDX-License-Identifier: Apache-2.0
#include "machine/operands.h"

namespace millrace::machine {

using mosaic::Element;

bool differs_in_memory(DType dtype, Element element) {
  return dtype == DType::i1 || (element == Element::kI4 && dtype == DType::u8);
}

Array as_in_memory(const Array& array) {
  if (array.dtype() == DType::i1) return array.cast(DType::i32);
  Array signs = array;
  for (std::uint8_t& v : signs.as<std::uint8_t>()) v = static_cast<std::uint8_t>(((v & 15) ^ 8) - 8);
  return signs;
}

void turn_into_array(Array& array, DType dtype, Element element) {
  if (dtype == DType::i1)
    array = array.cast(DType::i1);
  else if (differs_in_memory(dtype, element))
    for (std::uint8_t& v : array.as<std::uint8_t>()) v &= 15;
}

}  // namespace millrace::machine
