// SPDX-License-Identifier: Apache-2.0
// The benchmarks by name, and their results as text and JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// "native", "in-place", "steps", "checks", "explore", "jax", "jax-checks", "door", "libtpu"
std::vector<std::string> names();

struct Measured {
  std::vector<Pairing> pairings;
  std::vector<std::string> notes;  // what was left out, and why
};

// Programs that measurements may start. Where one is empty its rows are left out, with a note.
struct Helpers {
  std::string peer;         // a command that starts a peer (peer.h)
  std::string door;         // a command that starts what measures the JAX door (door.h)
  std::string worker = {};  // the program in which the TPU compiler is asked (`millrace`)
};

// Runs those named, all where none is; Error(kUser) for a name that there is not. `progress` hears of each before it
// runs.
Measured run(const std::vector<std::string>& wanted, const Helpers& helpers,
             const std::function<void(const std::string&)>& progress);

std::string to_text(const Measured& measured);
// {"schema": 1, "execution": "measured", "device", "pairings": [...], "notes": [...]}
nlohmann::json to_json(const Measured& measured);

}  // namespace millrace::bench
