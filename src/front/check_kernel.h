// SPDX-License-Identifier: Apache-2.0
// A kernel from a file, its arrays from files, one verdict.
#pragma once

#include "event/event.h"
#include "front/run_kernel.h"
#include "report/checked.h"
#include "rules/rules.h"

namespace millrace::front {

struct CheckRequest {
  KernelRequest kernel;
  bool explore = false;           // all orders of events, as far as they differ
  bool why_wait = false;          // what each wait proved
  bool rules = false;             // those of kernel.chip, too
  std::uint64_t max_classes = 0;  // that are explored; 0: a million
  bool replays = false;           // schedules that show what was found
};

// Faults of the kernel are in the result; what run_kernel refuses is refused.
report::Checked check_kernel(const CheckRequest& request);

// The same of a kernel that is loaded already. `outcome`, where given, takes what the run that was judged came to;
// `observers` watch that run.
report::Checked check_loaded(const CheckRequest& request, const LoadedKernel& loaded,
                             machine::Outcome* outcome = nullptr, const std::vector<event::Observer*>& observers = {});

// What the rules of a chip are asked about it. The kernel must outlive it.
rules::Question question_of(const LoadedKernel& loaded, const std::string& chip);

}  // namespace millrace::front
