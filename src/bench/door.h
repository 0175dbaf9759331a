// SPDX-License-Identifier: Apache-2.0
// What the JAX door measures of itself, against JAX's interpreter: a program (door.py) that is asked line by line, as
// any peer is (peer.h).
//
//   rows                 the names of its rows
//   measure NAME         {"candidate", "baseline", "unit", "work", "warm_ups", "aim", "candidate_ms": [...],
//                        "baseline_ms": [...]}: milliseconds of both sides, pair by pair
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// `progress` hears of each row before it is measured. Error(kUser) where the program says something else.
std::vector<Pairing> of_door(const std::string& command, const std::function<void(const std::string&)>& progress);

}  // namespace millrace::bench
