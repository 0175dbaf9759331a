// SPDX-License-Identifier: Apache-2.0
// What became of each edit.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "edits.h"
#include "subject.h"

namespace millrace::mutation {

enum class Fate {
  kRefused,     // the verifier or the lowering takes it for no kernel
  kFinding,     // a finding
  kEndless,     // it runs on and on, or into a refusal
  kOutput,      // no finding, but other results
  kEquivalent,  // the same events and results on these inputs
  kSurvived,    // other events, the same results, no finding
  kMissed,      // no finding, but the results depend on the schedule: a hole in the checks
};
std::string_view name_of(Fate fate);

struct Judged {
  std::string kernel;
  Edit edit;
  Fate fate = Fate::kSurvived;
  std::vector<std::string> findings;
  std::string difference;  // of a survivor: how its run differs from the original's
};

// Why a run with other events can still be a right one: where the two streams part, and how many lines only one has.
std::string difference_of(std::string_view original, std::string_view edited);

// Judges the edits of one kernel: all, or every `step`-th from `first` on. Error(kUser) where the unedited kernel is
// not clean.
std::vector<Judged> judge(const Subject& subject, std::size_t first = 0, std::size_t step = 1);

// A table of fates by kind of edit, then every edit that was neither killed nor equivalent, and how its run differs.
std::string report(const std::vector<Judged>& all);

// Of the edits that change a result, break a rule or change an event: how many in a hundred did not survive.
double killed_percent(const std::vector<Judged>& all);

}  // namespace millrace::mutation
