// SPDX-License-Identifier: Apache-2.0
// One run under all checks, and the verdict on it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/simulate.h"

namespace millrace::api {

struct Checked {
  machine::Outcome outcome;
  std::vector<Finding> findings;  // in the order of their places
  std::string schedule;           // that the run followed
  bool misled = false;  // it was steered by what a DMA in flight was about to write, and nobody had written before
};

// Whether they speak of the same fault at the same places, whatever they say of it in detail.
bool same_fault(const Finding& a, const Finding& b);

// Runs and judges. Where a kernel is misled in the order that is asked for, the run is made in the order *eager*: what
// it would do says nothing but that there is a race. (Not where the schedule is a file.) A finding that would not be
// one if DMAs signalled once, when they are complete, says so. `observers` watch the run that is judged.
Checked check(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
              const std::function<void(std::uint64_t steps)>& progress = {},
              const std::vector<event::Observer*>& observers = {});

}  // namespace millrace::api
