// SPDX-License-Identifier: Apache-2.0
// How many orders of events a verdict speaks of: one, where one run decides (one_run.h), else what an exploration of
// the run's skeleton finds.
#pragma once

#include "explore/recorder.h"
#include "front/check_kernel.h"
#include "front/run_kernel.h"

namespace millrace::front {

struct Explored {
  report::Schedules schedules;
  std::uint64_t deadlocked = 0;  // classes of runs that end in a deadlock
};

Explored explored(const CheckRequest& request, const LoadedKernel& loaded, const explore::Skeleton& skeleton,
                  const std::vector<Finding>& findings);

// The deadlock of some schedules, where the run that was watched met none: by the first of a few random schedules that
// meets it, which it names.
Finding deadlock_of_some(const CheckRequest& request, const LoadedKernel& loaded, const Explored& of);

}  // namespace millrace::front
