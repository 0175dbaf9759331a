// SPDX-License-Identifier: Apache-2.0
// Where one experiment is carried out: the learner predicts; runs are simulated, held against the oracle and written
// down with their claims.
#pragma once

#include <string>

#include "lab/axpy.h"
#include "lab/learner.h"
#include "lab/report.h"

namespace millrace::lab {

// What the lesson goes by. `learner` may be null: then nobody is asked.
struct Course {
  const Simulator& simulator;
  Learner* learner = nullptr;
};

class Bench {
 public:
  // Asks the learner where the experiment has a question. Both must outlive the bench.
  Bench(const Course& course, Experiment& experiment);

  // Records the run and claims that it equals the oracle and has no race. A kernel that fails (ErrorCode::kFinding)
  // is a claim that does not hold, and null; other errors pass through.
  const LabRun* run(const std::string& name, const Configuration& c, const NamedPair& input,
                    const std::string& order = "canonical");

  void claim(const std::string& what, bool held, const std::string& detail = "");

  // Claims that two runs of `input` have the same bits. Where they differ, both are run again while their writers are
  // tracked, to name the first differing tile, slot and writer. A null run has failed already and claims nothing.
  void claim_same_bits(const LabRun* a, const LabRun* b, const NamedPair& input);

 private:
  std::string disagreement(const LabRun& a, const LabRun& b, const NamedPair& input) const;

  const Simulator& simulator_;
  Experiment& experiment_;
};

}  // namespace millrace::lab
