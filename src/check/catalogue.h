// SPDX-License-Identifier: Apache-2.0
// The one table of what a check can find: hints, clauses, SARIF's rules and `millrace explain` are read off it.
#pragma once

#include <span>
#include <string_view>

#include "millrace/report.h"

namespace millrace::checkers {

struct Rule {
  std::string_view id;  // of a finding: "race.read-write"; or of a family, "target.*"
  Severity severity;
  std::string_view clause;   // of docs/semantics.md
  std::string_view title;    // a few words, no full stop
  std::string_view meaning;  // a paragraph
  std::string_view mend;     // how it is usually mended, for a finding that says nothing more special
};

// All of them, in the order in which they are listed for people.
std::span<const Rule> rules();

// The rule of a finding's id, its family's where it has none of its own ("target.vmem"); null for any other word.
const Rule* find_rule(std::string_view id);

// Fills in from the table what a checker did not say: clause and hint.
void complete(Finding& finding);

}  // namespace millrace::checkers
