// SPDX-License-Identifier: Apache-2.0
// The benchmarks by name, and their results as text and JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// "native", "in-place", "steps", "checks", "explore", "report", "jax", "jax-checks", "libtpu"
std::vector<std::string> names();

struct Measured {
  std::vector<Pairing> pairings;
  std::vector<std::string> notes;  // what was left out, and why
};

// Runs those named, all where none is; Error(kUser) for a name that there is not. `progress` hears of each before it
// runs. `peer` is a command that starts a peer (peer.h), or empty: then its rows are left out, with a note.
// `worker` is the program in which the TPU compiler is asked (`millrace`); empty: it is not.
Measured run(const std::vector<std::string>& wanted, const std::string& peer,
             const std::function<void(const std::string&)>& progress, const std::string& worker = "");

std::string to_text(const Measured& measured);
// {"schema": 1, "execution": "measured", "device", "pairings": [...], "notes": [...]}
nlohmann::json to_json(const Measured& measured);

}  // namespace millrace::bench
