// SPDX-License-Identifier: Apache-2.0
// What the lab found out, as values. The transcript, the JSON and the evidence on disk are three prints of them.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/compare.h"
#include "lab/contract.h"
#include "lab/environment.h"
#include "lab/fixture.h"
#include "millrace/report.h"
#include "plan/table.h"

namespace millrace::lab {

inline constexpr const char* kSimulatedChip = "TPU v5e";  // whose layout is simulated; never what ran

struct NamedPair {
  std::string name;  // "lesson"
  Pair pair;
};

// One simulated run, held against the oracle.
struct LabRun {
  std::string name;   // unique in its experiment: "three-slots"
  std::string input;  // name of a NamedPair
  Configuration configuration;
  std::string order;  // of events: "canonical", "eager", "lazy"
  Array output;       // of the logical shape
  Work work;
  std::size_t races = 0;  // found by the race observer
  Comparison comparison;  // with the oracle
};

struct Claim {
  std::string what;  // a sentence that must hold
  bool held = false;
  std::string detail;  // where it does not hold: how
  bool quiet = false;  // told only where it does not hold (the run's own line has said it)
};

struct Experiment {
  std::string id = {}, title = {};                          // "third-slot", "A third slot for each input"
  std::string question = {}, prediction = {}, answer = {};  // empty where there is nothing to predict
  std::vector<std::string> choices = {};                    // what one may answer; with a question
  std::string guess = {};                                   // the learner's choice; empty where nobody was asked
  std::string outcome = {};                                 // the choice that the runs bear out
  std::vector<std::string> notes = {};                      // further lines of results
  std::string picture = {};                                 // in characters, for who goes step by step
  std::deque<LabRun> runs = {};                             // a deque: pointers to runs stay good
  std::vector<Claim> claims = {};
};

// A file of the evidence that is drawn, not measured.
struct Picture {
  std::string file, content;
};

struct LabReport {
  Environment environment;
  std::vector<NamedPair> inputs = {};
  std::vector<Experiment> experiments = {};
  std::optional<plan::TileTable> tiles = {};
  std::vector<Picture> pictures = {};
  std::optional<std::pair<double, double>> endpoints = {};  // first and last element of the buffered lesson run

  bool passed() const;
  std::vector<std::string> failures() const;  // "third-slot: WHAT (DETAIL)"
};

}  // namespace millrace::lab
