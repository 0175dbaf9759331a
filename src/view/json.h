// SPDX-License-Identifier: Apache-2.0
// The timeline as JSON. Times are nanoseconds since the kernel began, modeled unless "execution" says otherwise; bars
// and lives are named by their place in "bars" and "lives".
//
//   {"schema": 1, "kind": "timeline", "title", "execution": "modeled", "device": null, "chip": "v5e",
//    "schedule": "canonical", "end", "parameters": [{"name", "value", "unit", "source", "note"}],
//    "summary": {"bounded_by", "critical_path": [{"what", "lane", "time"}], "moving", "computing", "waiting",
//                "overlapped", "overlap",
//                "steady": null | {"steps", "count", "middle", "from", "to", "simulated", "theory", "difference",
//                                  "bounded_by", "terms": [{"what", "time"}]}},
//    "lanes": [{"name", "kind", "device", "core", "operand"}],
//    "buffers": [{"letter", "name", "operand", "device", "core", "slots"}],
//    "bars": [{"lane", "begin", "end", "label", and where they apply "moves", "block", "elements", "step", "at",
//              "bytes", "lives", "proves", "leaves_open", "semaphore", "amount", "has", "never", "critical", "count",
//              "busy"}],
//    "lives": [{"slot": "A0", "buffer", "version", "begin", "filled", "last_use", "reusable" (null: never known),
//               "block", "opened_by", "last_by", "count"}],
//    "arrows": [{"copy", "wait"}],
//    "counters": [{"name", "unit", "device", "core", "most", "points": [[at, value], ...]}],
//    "faults": [{"id", "message", "memory", "box", "schedules", "severity",
//                "moments": [{"what", "at", "bar", "begin", "end"}]}],
//    "cut": false, "coarse": null | {"bars", "bucket"}}
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "timing/timeline.h"

namespace millrace::view {

nlohmann::ordered_json to_json(const timing::Timeline& timeline);

}  // namespace millrace::view
