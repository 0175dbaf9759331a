// SPDX-License-Identifier: Apache-2.0
// How many orders of events a verdict speaks of: one, where one run decides (one_run.h), else what an exploration of
// the run's skeleton finds, and of the skeletons of other runs where control depends on what a race may change.
#pragma once

#include <string>
#include <vector>

#include "explore/recorder.h"
#include "front/check_kernel.h"
#include "front/run_kernel.h"

namespace millrace::front {

// What only some schedules show, and one that does.
struct OfSome {
  Finding finding;
  std::string schedule;
};

struct Explored {
  report::Schedules schedules;
  std::vector<OfSome> others;  // that the run did not show
  std::vector<bool> of_some;   // by finding of the run: runs that go another way do not show it
};

// `work`: of the run that the skeleton was recorded from.
Explored explored(const CheckRequest& request, const LoadedKernel& loaded, const explore::Skeleton& skeleton,
                  const Work& work, const std::vector<Finding>& findings);

// Says of the findings of the run which are of some schedules only, and adds those that it did not show; with schedules
// that show them, where those are asked for.
void tell_schedules(const CheckRequest& request, const explore::Skeleton& skeleton, Explored explored,
                    report::Checked& checked);

}  // namespace millrace::front
