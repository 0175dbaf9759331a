// SPDX-License-Identifier: Apache-2.0
// `#dialect.mnemonic<...>` attributes as text, which is also how they travel in bytecode.
#pragma once

#include <string>
#include <string_view>

#include "mosaic/ir.h"

namespace millrace::mosaic {

// Error(kUnsupported) where the text holds more than keywords and lists of integers, keywords first.
DialectAttr parse_dialect_attribute(std::string_view text);

std::string to_text(const DialectAttr& attribute);

}  // namespace millrace::mosaic
