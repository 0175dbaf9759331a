// SPDX-License-Identifier: Apache-2.0
// The timeline as lanes of characters, for a terminal.
#pragma once

#include <string>

#include "timing/timeline.h"

namespace millrace::view {

struct TextOptions {
  int columns = 100;              // of the lanes' time axis and their names together, at least 60
  timing::Time from = 0, to = 0;  // what is shown; to 0: as much as can be told apart, from the beginning
};

//   load in0   |A0-----====|A1----====|        - on its way, = moving
//   compute                 #A0>C0#
// below them a line for each slot: - filled, = in use, ! last use, . until it may be filled again; then what limits the
// run, and its faults.
std::string to_text(const timing::Timeline& timeline, const TextOptions& options = {});

}  // namespace millrace::view
