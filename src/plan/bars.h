// SPDX-License-Identifier: Apache-2.0
// The tile table as a picture: programs on the left, modeled bytes on the right, a group of bars a block.
#pragma once

#include <string>

#include "plan/table.h"

namespace millrace::plan {

// A self-contained SVG: no script, no font or image from elsewhere. Says on itself that nothing was measured.
std::string to_svg(const TileTable& table);

}  // namespace millrace::plan
