// SPDX-License-Identifier: Apache-2.0
// From a trace, its times and what a check found to a timeline.
#pragma once

#include <string>
#include <vector>

#include "millrace/report.h"
#include "timing/clock.h"
#include "timing/timeline.h"

namespace millrace::timing {

// Bars of a timeline that stand for things of a trace.
struct BarOf {
  std::vector<Index> copy, compute, wait;  // by index in the trace; kNone where there is none
  std::vector<Index> life;                 // of a trace, the tenancy
};

Timeline make_timeline(const Trace& trace, const Times& times, const Costs& costs,
                       const std::vector<Finding>& findings = {});

// The parts of make_timeline, each in a file of its own.
void add_bars(const Trace& trace, const Times& times, Timeline& t, BarOf& of);             // lanes.cpp
void add_lives(const Trace& trace, const Times& times, Timeline& t, BarOf& of);            // lives.cpp
void add_counters(const Trace& trace, const Times& times, Timeline& t);                    // counters.cpp
void add_overlap(const Trace& trace, const Times& times, Timeline& t);                     // counters.cpp
void add_path(const Trace& trace, const Times& times, Timeline& t, const BarOf& of);       // path.cpp
void add_steady(const Trace& trace, const Times& times, const Costs& costs, Timeline& t);  // steady.cpp
void add_faults(const Trace& trace, const Times& times, const std::vector<Finding>& findings, Timeline& t,
                const BarOf& of);  // faults.cpp

}  // namespace millrace::timing
