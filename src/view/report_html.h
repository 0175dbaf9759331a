// SPDX-License-Identifier: Apache-2.0
// The report: one HTML file that holds its data, its style and its script, and asks nobody for anything. The data
// stands in it as JSON, in <script id="data" type="application/json">:
//
//   {"schema": 1, "kind": "report", "title", "basis": "modeled for ...; not measured", "execution": "modeled",
//    "summary": [sentences], "left_out": [sentences],
//    "check": what `check --json` prints, without its seconds; each finding has besides
//             "spots": [{"what", "nth", "place", "file", "line"}], its places in the order in which one looks at them,
//    "module": what `inspect --json` prints,
//    "footprint": {"chip", "vmem", "held": [{"name", "memory", "holder", "slots", "logical", "padded", "bytes"}],
//                  "scopes", "total", "limit": {"vmem", "smem", "semaphores"}},
//    "compiled": null, or what the real TPU compiler made of it, on request: {"execution": "compiled", "device": null,
//             "libtpu", "of", "tiles": [{"name", "chips": [{"compiled_for", "verdict", "reason", "step_bundles",
//             "trips", "vmem", "modeled_vmem"}]}], "boundary"}; figures that are not known are null,
//    "receipts": what stands behind it (docs/schema/receipt.schema.json), its own first; may be empty,
//    "sources": {file: {line: text}}, the lines around each place of a finding, where the file was at hand,
//    "text": the module,
//    "timeline": view/json.h's, without its bars, lives, arrows and counters, which are in
//    "columns": view/columns.h's}
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "timing/timeline.h"

namespace millrace::view {

struct Report {
  timing::Timeline timeline;  // its faults are the findings of `check`, one by one
  nlohmann::ordered_json check, module, footprint, sources;
  nlohmann::ordered_json compiled;  // null where the TPU compiler was not asked
  nlohmann::ordered_json receipts = nlohmann::ordered_json::array();
  std::string text;  // of the module
};

nlohmann::ordered_json report_data(const Report& report);

std::string to_html(const Report& report);

}  // namespace millrace::view
