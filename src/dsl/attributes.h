// SPDX-License-Identifier: Apache-2.0
// Short ways to write the attributes of an operation. Lists are given sorted by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::dsl {

inline mosaic::Attribute integer(std::int64_t value, mosaic::Element element = mosaic::Element::kI32) {
  return {mosaic::IntegerAttr{value, element}};
}
inline mosaic::Attribute boolean(bool value) { return integer(value ? 1 : 0, mosaic::Element::kI1); }
inline mosaic::Attribute text(std::string value) { return {mosaic::StringAttr{std::move(value)}}; }
inline mosaic::Attribute integers(std::vector<std::int64_t> values, mosaic::Element element) {
  return {mosaic::DenseArrayAttr{std::move(values), element}};
}
inline mosaic::Attribute keyword(std::string dialect, std::string mnemonic, std::string word) {
  return {mosaic::DialectAttr{std::move(dialect), std::move(mnemonic), {std::move(word)}, {}}};
}
// How many operands each group of an operation has.
inline mosaic::NamedAttribute segments(std::vector<std::int64_t> sizes) {
  return {"operandSegmentSizes", integers(std::move(sizes), mosaic::Element::kI32)};
}

}  // namespace millrace::dsl
