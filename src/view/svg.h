// SPDX-License-Identifier: Apache-2.0
// The timeline as one SVG: lanes over modeled time, the lives of slots, counters, faults where they happen. It needs
// nothing else: no script, no font, no picture from elsewhere.
#pragma once

#include <string>
#include <vector>

#include "timing/timeline.h"

namespace millrace::view {

struct SvgOptions {
  int width = 1000;               // pixels, at least 320
  timing::Time from = 0, to = 0;  // what is shown; to 0: to the end
  bool words = true;              // title, findings and what limits the run stand in the picture
};

std::string to_svg(const timing::Timeline& timeline, const SvgOptions& options = {});

// Several timelines below each other, to be compared: first how long each takes, then each with its title, over one
// time axis where the picture is wide enough for that.
std::string to_svg(const std::vector<timing::Timeline>& timelines, const std::string& title,
                   const SvgOptions& options = {});

std::string escaped(const std::string& text);  // for XML

}  // namespace millrace::view
