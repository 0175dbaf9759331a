// SPDX-License-Identifier: Apache-2.0
#include "lab/report.h"

#include <fmt/format.h>

namespace millrace::lab {

bool LabReport::passed() const { return failures().empty(); }

std::vector<std::string> LabReport::failures() const {
  std::vector<std::string> failures;
  for (const Experiment& experiment : experiments) {
    for (const Claim& claim : experiment.claims) {
      if (claim.held) continue;
      failures.push_back(fmt::format("{}: {}{}", experiment.id, claim.what,
                                     claim.detail.empty() ? "" : fmt::format(" ({})", claim.detail)));
    }
  }
  return failures;
}

}  // namespace millrace::lab
