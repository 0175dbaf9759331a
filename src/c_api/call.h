// SPDX-License-Identifier: Apache-2.0
// One run of a module on arrays of the caller's, judged.
#pragma once

#include <span>

#include "c_api/module.h"
#include "millrace/c_api.h"
#include "report/checked.h"

namespace millrace::c_api {

struct Judged {
  report::Checked checked;
  bool ended = false;  // else the kernel deadlocked or left its memory, and nothing is right that it wrote
};

// The timeline of such a run in modeled time, as an SVG (view/svg.h). Reads `inputs`; of `outputs` only the shapes.
std::string drawn(Module& module, std::span<const millrace_array> inputs, std::span<const millrace_array> outputs);

// Inputs and outputs as millrace_call takes them, device by device; the outputs are filled. A fault of the kernel is in
// the result; everything else is an Error, and the outputs are then as they were.
Judged call(Module& module, std::span<const millrace_array> inputs, std::span<const millrace_array> outputs);

}  // namespace millrace::c_api
