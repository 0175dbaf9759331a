// SPDX-License-Identifier: Apache-2.0
#include "report/checked.h"

namespace millrace::report {

std::size_t new_errors(const Checked& checked) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < checked.findings.size(); ++i)
    count += checked.findings[i].severity == Severity::kError && checked.is_new(i) ? 1 : 0;
  return count;
}

}  // namespace millrace::report
