// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::front {

// docs/limits.md: what is not supported, where the simulator's numbers may differ from a TPU's, what it assumes. The
// operations come from the code.
std::string limits_page();

}  // namespace millrace::front
