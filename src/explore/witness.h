// SPDX-License-Identifier: Apache-2.0
// A schedule that shows a race, or a whole class of runs: the machine follows it with --schedule replay:FILE
// (machine/replay.h has the format).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "explore/explore.h"

namespace millrace::explore {

struct Script {
  std::string text;
  struct Goal {  // this core goes on until it has done so much
    std::uint32_t core = 0;
    std::size_t count = 0;
  };
  std::vector<Goal> goals;           // in their order; the last of each core is all that it does, told or not
  std::vector<std::size_t> reached;  // by core: how much it does by then
};

// One in which the first of each pair happens before the second; none where no run does that. Only the DMAs of the
// pairs are named: the others move where a core is blocked.
std::optional<Script> script(const Skeleton& skeleton, std::span<const Pair> orders, bool whole_signals = false);
std::optional<std::string> witness(const Skeleton& skeleton, std::span<const Pair> orders, bool whole_signals = false);

// As far as such a run comes where each core stops after its first `limits` operations. The pairs are in an order that
// some run has, and no semaphore is awaited by several cores.
Script beginning(const Skeleton& skeleton, std::span<const Pair> orders, std::span<const std::size_t> limits,
                 bool whole_signals = false);

}  // namespace millrace::explore
