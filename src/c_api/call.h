// SPDX-License-Identifier: Apache-2.0
// One run of a module on arrays of the caller's, judged and shown.
#pragma once

#include <span>
#include <string>

#include "c_api/module.h"
#include "machine/machine.h"
#include "millrace/c_api.h"
#include "report/checked.h"

namespace millrace::c_api {

using Arrays = std::span<const millrace_array>;

// The module lowered for arrays like these, device by device, as millrace_call takes them, with copies of the inputs in
// it. Error(kUser) where they do not fit.
front::LoadedKernel loaded_for(Module& module, Arrays inputs, Arrays outputs);

struct Judged {
  report::Checked checked;
  machine::Outcome outcome;  // where it did not end the kernel deadlocked or left its memory: nothing it wrote is right
};

// A fault of the kernel is in the result; everything else is an Error.
Judged judged(const Module& module, const front::LoadedKernel& loaded);

// As far as they were written. `outputs` are those that the kernel was loaded for.
void fill(Arrays outputs, const machine::Outcome& outcome);

// The timeline of such a run in modeled time, as an SVG (view/svg.h).
std::string drawn(const Module& module, const front::LoadedKernel& loaded);

// Its report, an HTML page (view/report_html.h), with what was found in it. `title`: of the page.
std::string page_of(const Module& module, const front::LoadedKernel& loaded, report::Checked checked,
                    const std::string& title);

}  // namespace millrace::c_api
