// SPDX-License-Identifier: Apache-2.0
// The benchmarks by name, and their results as text and JSON.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/pairs.h"

namespace millrace::bench {

// "native", "in-place", "steps", "checks", "explore", "report", "jax", "jax-checks", "door", "libtpu", and the rows of
// cpu_rows.h; "cpu" stands for all of those.
std::vector<std::string> names();

struct Measured {
  std::vector<Pairing> pairings;
  std::vector<Contest> contests;
  std::vector<std::string> notes;  // what was left out, and why
};

// Programs that measurements may start, and how the CPU target is measured.
struct Settings {
  std::string peer;      // a command that starts a peer (peer.h) such as jax_peer.py; empty: its rows are left out
  std::string cpu_peer;  // the same such as cpu_peer.py
  std::string door;      // a command that starts what measures the JAX door (door.h)
  std::string worker;    // the program in which the TPU compiler is asked (`millrace`); empty: it is not
  int threads = 0;       // of the CPU target and all that it is held against; 0: as many as there are cores
  Sizes sizes = Sizes::kFull;
};

// Runs those named, all where none is, with a note for what is left out; Error(kUser) for a name that there is not.
// `progress` hears of each before it runs.
Measured run(const std::vector<std::string>& wanted, const Settings& settings,
             const std::function<void(const std::string&)>& progress);

std::string to_text(const Measured& measured);
// {"schema": 1, "execution": "measured", "device", "pairings": [...], "contests": [...], "notes": [...]}
nlohmann::json to_json(const Measured& measured);

}  // namespace millrace::bench
