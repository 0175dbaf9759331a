// SPDX-License-Identifier: Apache-2.0
// The tile table as a picture of two panels, a group of bars a block: programs, with the padded elements below them,
// and modeled KiB of the windows by slot count. The caption says what the model leaves out.
#pragma once

#include <string>

#include "plan/table.h"

namespace millrace::plan {

// A self-contained SVG: no script, no font or image from elsewhere; light, or dark for who prefers that. Slot counts
// are told apart by pattern and words, not by colour alone. Says on itself that nothing was measured. `width`: pixels;
// where the panels do not fit beside each other they stand one below the other, and where their bars do not, these lie.
// 0: as wide as is usual.
std::string to_svg(const TileTable& table, int width = 0);

inline constexpr int kNarrow = 390;  // a width for phones

// The same bars in characters, a line each, for a terminal.
std::string to_bar_text(const TileTable& table);

}  // namespace millrace::plan
