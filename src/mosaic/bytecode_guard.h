// SPDX-License-Identifier: Apache-2.0
// A walk over the frame of MLIR bytecode, before MLIR reads it: its reader trusts the counts that a file states.
#pragma once

#include <string>
#include <string_view>

namespace millrace::mosaic {

bool is_bytecode(std::string_view bytes);

// Error(kUser) where a count promises more than the file holds, tables do not fit together, or regions nest deeper than
// kMaxRegionDepth; Error(kUnsupported) for format versions other than 0 and for resources.
void check_bytecode(std::string_view bytes, const std::string& name);

}  // namespace millrace::mosaic
