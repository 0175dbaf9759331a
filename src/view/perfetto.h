// SPDX-License-Identifier: Apache-2.0
// The timeline as a trace of Perfetto's TrackEvents, in protobuf: what ui.perfetto.dev and trace_processor open. A
// track a lane, slices for bars, flows from a DMA to the wait that took it, counters. Times are whole nanoseconds
// there, at least one a bar, so that bars of less than that move back by as much.
#pragma once

#include <string>

#include "timing/timeline.h"

namespace millrace::view {

std::string to_perfetto(const timing::Timeline& timeline);  // bytes

}  // namespace millrace::view
