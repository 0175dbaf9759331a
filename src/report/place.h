// SPDX-License-Identifier: Apache-2.0
// Places of findings as files and lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "millrace/report.h"

namespace millrace::report {

struct Location {
  std::string file;  // or empty
  int line = 0;
  std::string scope;  // "ep_copy_in/dma_start", where the module says that instead
};

std::string to_string(const Location& location);  // "ring.py:31", "ep_copy_in/dma_start at pipe.py:12"

// `at` is "file:line" or a scope name; then `where` may end in "at file:line", the line that encloses it.
Location location_of(std::string_view at, std::string_view where);

// One place of a finding, and what happens there.
struct Spot {
  Location location;
  std::string at;    // as the module has it
  std::string what;  // "core read", "core 0 waits on scratch1: has 0, needs 4096"
  std::string nth;   // "the 2nd time", or empty where it is not known
};

// All places of a finding. The one to look at comes first: of two accesses the later one.
std::vector<Spot> spots_of(const Finding& finding);

std::string ordinal(std::uint64_t from_zero);  // "1st", "2nd", "3rd", "11th"

// How files are named for others: from `here`, an absolute folder, where they lie below it. Modules name sources as
// Python saw them; where that is no absolute path, it is meant below `prefix`.
struct Naming {
  std::string here, prefix;

  std::string file(const std::string& path) const;
  std::string source(const std::string& path) const;
};

}  // namespace millrace::report
