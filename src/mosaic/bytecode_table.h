// SPDX-License-Identifier: Apache-2.0
// The table of attributes and types in MLIR bytecode of format version 0.
#pragma once

#include <string>
#include <vector>

#include "mosaic/bytecode_bytes.h"

namespace millrace::mosaic {

// Damage where entries overrun their bytes, refer past the table or to each other in a circle, or where a constant
// holds another number of bytes than its type says. `dialects` are names by number, `offsets` and `entries` the two
// sections.
void check_bytecode_table(const std::vector<std::string>& dialects, Bytes offsets, Bytes entries);

}  // namespace millrace::mosaic
