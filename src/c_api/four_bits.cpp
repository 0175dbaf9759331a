// SPDX-License-Identifier: Apache-2.0
#include "c_api/four_bits.h"

#include "millrace/array.h"

namespace millrace::c_api {

namespace {

std::size_t count_of(const millrace_array& array) {
  return static_cast<std::size_t>(element_count(Shape(array.dims, array.dims + array.rank)));
}

}  // namespace

millrace_array FourBits::input(const millrace_array& packed, bool is_signed) {
  const auto* bytes = static_cast<const std::uint8_t*>(packed.data);
  std::vector<std::uint8_t>& elements = elements_.emplace_back(count_of(packed));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const unsigned half = (bytes[i / 2] >> (i % 2 * 4)) & 15u;
    elements[i] = static_cast<std::uint8_t>(is_signed && half >= 8 ? half + 0xf0 : half);
  }
  return {elements.data(), is_signed ? MILLRACE_I8 : MILLRACE_U8, packed.rank, packed.dims};
}

millrace_array FourBits::output(const millrace_array& packed, bool is_signed) {
  std::vector<std::uint8_t>& elements = elements_.emplace_back(count_of(packed));
  outputs_.push_back({static_cast<std::uint8_t*>(packed.data), &elements});
  return {elements.data(), is_signed ? MILLRACE_I8 : MILLRACE_U8, packed.rank, packed.dims};
}

void FourBits::pack() {
  for (const Output& o : outputs_) {
    for (std::size_t i = 0; i < o.elements->size(); ++i) {
      const unsigned half = (*o.elements)[i] & 15u;
      o.packed[i / 2] = static_cast<std::uint8_t>(i % 2 ? o.packed[i / 2] | half << 4 : half);
    }
  }
}

}  // namespace millrace::c_api
