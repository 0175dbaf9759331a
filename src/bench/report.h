// SPDX-License-Identifier: Apache-2.0
// The benchmarks by name, and their results as text and JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

std::vector<std::string> names();  // "axpy", "steps"

// Runs those named, all where none is; Error(kUser) for a name that there is not. `progress` hears of each before it
// runs.
std::vector<Pairing> run(const std::vector<std::string>& wanted,
                         const std::function<void(const std::string&)>& progress);

std::string to_text(const std::vector<Pairing>& pairings);
// {"schema": 1, "execution": "measured", "device", "pairings": [...]}
nlohmann::json to_json(const std::vector<Pairing>& pairings);

}  // namespace millrace::bench
