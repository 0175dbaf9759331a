// SPDX-License-Identifier: Apache-2.0
// What the report of a long run costs: how long it takes, and how large the page is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// What a page was made of and came to.
struct ReportSize {
  std::uint64_t bars = 0;   // of the whole run
  std::uint64_t drawn = 0;  // after joining
  std::uint64_t bytes = 0;  // of the page
};

// Checks the pipelined axpy of `steps` steps, lays its run out and writes the page into `folder`, as `view --html`
// does. Error(kInternal) where the kernel is not found clean.
ReportSize write_report(std::int64_t steps, const std::string& folder);

// The report of a run of a million bars and more: its time a bar, its bytes in words.
std::vector<Pairing> reporting();

}  // namespace millrace::bench
