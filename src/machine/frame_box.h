// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "machine/view.h"

namespace millrace::machine {

// What a view takes of its memory, in boxes of the memory's own coordinates that share no element; only the part inside
// the array. Throws Error(kUnsupported) where that takes more boxes than anyone could read.
std::vector<event::Box> boxes_in_memory(const View& view);

}  // namespace millrace::machine
