// SPDX-License-Identifier: Apache-2.0
// A case folder: a module, its arrays, and case.json, which says what a right simulator and checker make of it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "front/session.h"

namespace millrace::front {

struct CaseOperand {
  Tensor tensor;
  std::vector<std::string> files;  // by device, or one for all of them; empty: the folder has none
  bool unwritten = false;          // an input that holds poison
};

// In how many ways runs order the conflicting accesses, where the case says so.
struct ClassCounts {
  std::optional<std::uint64_t> complete, deadlocked;
};

struct CaseFolder {
  std::filesystem::path folder;
  std::string name;
  std::string chip = "v5e";
  std::int64_t cores = 1, devices = 1;
  std::size_t bounds = 0;  // the first inputs are dynamic grid bounds
  std::vector<CaseOperand> inputs, outputs;
  std::vector<Aliased> aliases;  // inputs count from the first, the bounds included
  double rtol = 0, atol = 0;     // both 0: bit for bit, but +0 is -0 and NaN is NaN
  bool faulty = false;
  nlohmann::json findings = nlohmann::json::array();
  std::optional<nlohmann::json> whole_findings;  // what is found instead under --dma-signal whole
  ClassCounts classes, whole_classes;            // whole: where DMAs signal once, when they are complete
};

// Error(kUser) where case.json is missing, no JSON, or lacks a field.
CaseFolder read_case_folder(const std::filesystem::path& folder);

// The case folders among `paths`: each itself, or those below it, sorted. Error(kUser) where there are none.
std::vector<std::filesystem::path> case_folders(const std::vector<std::string>& paths);

}  // namespace millrace::front
