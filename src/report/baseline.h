// SPDX-License-Identifier: Apache-2.0
// Findings already known: a file that is kept beside the kernels, so that only new ones fail.
//
//   {"schema": 1, "findings": [{"module", "kernel", "id", "memory", "semaphore", "places": ["core read a.py:3"],
//                               "message"}]}
//
// A finding is known where an entry says the same; failing that, where one says the same but for the lines, which move
// with every edit above them. Each entry knows one finding.
#pragma once

#include <string>
#include <vector>

#include "report/checked.h"

namespace millrace::report {

class Baseline {
 public:
  Baseline() = default;
  // Error(kUser) where the text is no baseline. `name` stands in messages.
  Baseline(const std::string& text, const std::string& name);

  // Fills in `states` and `gone`.
  void judge(Checked& checked) const;
  // The file with the findings of this kernel in place of those that it had.
  std::string with(const Checked& checked) const;

 private:
  struct Known {
    std::string module, kernel, id, memory, semaphore;
    std::vector<std::string> places;
    std::string message;
    friend bool operator==(const Known&, const Known&) = default;
  };
  static Known entry_of(const Checked& checked, const Finding& finding);
  static std::string key(const Known& known, bool lines);
  static bool of(const Known& known, const Checked& checked);

  std::vector<Known> known_;
};

// What stays the same of a finding while lines move: for results that are compared from run to run.
std::string fingerprint(const Checked& checked, const Finding& finding);

}  // namespace millrace::report
