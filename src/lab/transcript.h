// SPDX-License-Identifier: Apache-2.0
// The report as people read it. Every number comes from the report's values.
#pragma once

#include <string>

#include "lab/report.h"

namespace millrace::lab {

// Ends with the line `PASS: lab`, or with what failed and the line `FAIL: lab`.
std::string transcript(const LabReport& report);

// Question, prediction and answer of each experiment that has them, as Markdown; empty where none has.
std::string predictions(const LabReport& report);

}  // namespace millrace::lab
