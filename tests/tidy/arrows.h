// SPDX-License-Identifier: Apache-2.0
// The arrows between the rooms (docs/ARCHITECTURE.md): who may include whom.
#pragma once

#include "tree.h"

namespace millrace::tidy {

// One complaint for every #include that points the wrong way, or at something nobody knows.
Complaints check_arrows(const Tree& tree);

}  // namespace millrace::tidy
