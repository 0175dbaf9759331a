// SPDX-License-Identifier: Apache-2.0
// Serialised modules of other versions, brought to the operations of version 9.
#pragma once

#include <string>

#include "mosaic/ir.h"

namespace millrace::mosaic {

inline constexpr std::int64_t kOldestVersion = 1;
inline constexpr std::int64_t kNewestVersion = 15;

// Error(kUnsupported), with version and operation, for what version 9 cannot say and for versions outside 1 to 15.
void upgrade(Module& module, std::int64_t version, const std::string& name);

}  // namespace millrace::mosaic
