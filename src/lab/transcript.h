// SPDX-License-Identifier: Apache-2.0
// The report as people read it. Every number comes from the report's values.
#pragma once

#include <string>

#include "lab/report.h"

namespace millrace::lab {

// The parts of it, in their order: what ran where; one experiment, after a learner's prediction with its
// picture and the comparison; the verdict.
std::string header(const LabReport& report);
std::string section(const LabReport& report, const Experiment& experiment);
std::string closing(const LabReport& report);

// Ends with the line `PASS: lab`, or with what failed and the line `FAIL: lab`.
std::string transcript(const LabReport& report);

// Question, prediction (the learner's too, where one was asked) and answer of each experiment that has them, as
// Markdown; empty where none has.
std::string predictions(const LabReport& report);

}  // namespace millrace::lab
