// SPDX-License-Identifier: Apache-2.0
// Runs of one kernel held against each other: what each core does, letter by letter. A letter is an operation with all
// that it touches; ids that depend on the schedule are left out of it. Equal letters are equal operations.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "explore/skeleton.h"

namespace millrace::explore {

struct Spelled {
  std::map<std::pair<int, int>, std::vector<std::uint32_t>> cores;  // by device and core; not those that do nothing
  bool cut = false;
  friend auto operator<=>(const Spelled&, const Spelled&) = default;
};

class Spelling {
 public:
  Spelled of(const Skeleton& skeleton);

 private:
  std::uint32_t letter(std::string word) {
    return letters_.try_emplace(std::move(word), static_cast<std::uint32_t>(letters_.size())).first->second;
  }

  std::map<std::string, std::uint32_t> letters_;
};

}  // namespace millrace::explore
