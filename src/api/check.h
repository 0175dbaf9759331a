// SPDX-License-Identifier: Apache-2.0
// One run under all checks, and the verdict on it.
#pragma once

#include <functional>
#include <vector>

#include "api/simulate.h"

namespace millrace::api {

struct Checked {
  machine::Outcome outcome;
  std::vector<Finding> findings;  // in the order of their places
};

// Whether they speak of the same fault at the same places, whatever they say of it in detail.
bool same_fault(const Finding& a, const Finding& b);

// Runs and judges. A finding that would not be one if DMAs signalled once, when they are complete, says so.
// `observers` watch the run that is judged.
Checked check(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
              const std::function<void(std::uint64_t steps)>& progress = {},
              const std::vector<event::Observer*>& observers = {});

}  // namespace millrace::api
