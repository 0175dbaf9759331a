// SPDX-License-Identifier: Apache-2.0
// The lesson's three schedules in modeled time: synchronous, two slots, three slots. Says what overlaps and what bounds
// each, and draws them over one axis. Nothing here is a measurement.
#pragma once

#include "lab/bench.h"
#include "lab/report.h"

namespace millrace::lab {

// An experiment with a line a schedule; its pictures are added to the report.
Experiment modeled_schedules(const NamedPair& input, const Course& course, LabReport& report);

}  // namespace millrace::lab
