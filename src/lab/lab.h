// SPDX-License-Identifier: Apache-2.0
// The lesson, carried out: which runs are made, what is predicted of them and what must hold.
#pragma once

#include <optional>

#include "lab/axpy.h"
#include "lab/learner.h"
#include "lab/report.h"

namespace millrace::lab {

struct LabRequest {
  Configuration configuration = {};  // of the run on the matrix asked for
  DType dtype = DType::f32;          // of the default matrix; a given pair brings its own
  std::optional<Pair> given = {};    // this pair only; else the default matrix and all of the lesson
};

// Checks the whole contract before anything runs: Error(kUser) where it is broken, Error(kUnsupported) for a TPU.
// What does not hold is in the report, never thrown.
// A learner goes through the whole lesson: Error(kUser) where a pair is given.
LabReport run_lab(const LabRequest& request, const BuildInfo& build, const Simulator& simulator = simulate_axpy,
                  Learner* learner = nullptr);

}  // namespace millrace::lab
