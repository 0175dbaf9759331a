// SPDX-License-Identifier: Apache-2.0
// What a check of one kernel has found, in full: what every print of it prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/wait_proof.h"
#include "millrace/report.h"

namespace millrace::report {

// How many orders of events the verdict speaks of.
struct Schedules {
  std::uint64_t classes = 1;  // that there are, as far as is known
  std::uint64_t explored = 1;
  bool complete = true;
  std::string of = "these inputs";
  std::vector<std::string> control_depends_on;  // inputs that steer control flow: "in1"
  std::vector<std::string> open;                // where not complete: why, a sentence each
};

struct Output {
  DType dtype;
  Shape shape;
  std::string sha256;  // of the elements in row-major order; empty where nobody asked
};

// Against the findings already known.
enum class State { kNew, kMoved, kUnchanged };  // kMoved: known from another line

// A schedule that shows a finding: `check --schedule replay:FILE` follows it.
struct Replay {
  std::string shows;      // which of the orders that there are: "the core read at K.py:7 comes first"
  std::string schedule;   // the text of such a file
  std::string file = {};  // where it was written, if anywhere
};

struct Checked {
  std::string module;  // as it was named
  std::string kernel;
  Verdict verdict = Verdict::kClean;
  std::vector<Finding> findings;
  std::vector<std::vector<Replay>> replays;  // by finding, as far as there are any
  std::vector<State> states;                 // one a finding where there is a baseline, else empty
  std::uint64_t gone = 0;                    // known findings that are there no more
  Schedules schedules;
  std::vector<Output> outputs;  // of the one run; none where it did not end
  Work work;
  std::uint64_t accesses = 0;  // loads and stores of the core, and both ends of each DMA
  double load_seconds = 0, run_seconds = 0;
  std::vector<checkers::WaitSite> waits;
  bool why_wait = false;  // the waits are asked for

  const std::vector<Replay>& replays_of(std::size_t finding) const {
    static const std::vector<Replay> none;
    return finding < replays.size() ? replays[finding] : none;
  }
  bool is_new(std::size_t finding) const { return states.empty() || states[finding] == State::kNew; }
};

// Errors that no baseline knows.
std::size_t new_errors(const Checked& checked);

}  // namespace millrace::report
