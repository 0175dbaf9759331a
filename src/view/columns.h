// SPDX-License-Identifier: Apache-2.0
// A timeline as columns of whole numbers, for pages with many bars: about a fifth of what view/json.h takes. A column
// whose numbers are all the same is that one number. Times are picoseconds; "begin" is told as the difference to the
// bar (or content, or point) before in the same lane (slot, counter); "lasts", "moves", "filled", "last_use" and
// "reusable" are told from its begin. Lists are two columns, "lives_of" (how many) and "lives" (all of them, each as
// the difference to the one before). -1 stands for none; texts are numbers of "texts".
//
//   {"count" (bars), "texts": [...],
//    "bars": {"of_lane": [bars of each lane], "line" (lines below each other in a lane), "begin", "lasts", "moves",
//             "label", "block", "step", "at", "bytes", "lives_of", "lives", "proves_of", "proves", "open", "semaphore",
//             "amount", "has", "flags" (1 never met, 2 on the critical path), "joined", "busy"},
//    "contents": {"count", "buffer", "slot", "version", "begin", "filled", "last_use", "reusable" (-1: never), "block",
//                 "opened_by", "last_by", "joined", "line" (lines below each other in a slot)},
//    "arrows": {"count", "copy", "wait"},
//    "counters": [{"name", "unit", "device", "core", "most", "at", "value"}]}
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "timing/timeline.h"

namespace millrace::view {

nlohmann::ordered_json to_columns(const timing::Timeline& timeline);

}  // namespace millrace::view
