// SPDX-License-Identifier: Apache-2.0
// Runs case folders.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "front/case_folder.h"

namespace millrace::front {

struct CaseOptions {
  std::string schedule = "canonical";
  std::uint64_t max_steps = 1'000'000'000'000;
  std::uint64_t max_bytes = 0;  // 0: default_max_bytes
  std::string dma_signal = "progressive";
  bool explore = false;                   // count the classes of all schedules, too
  std::uint64_t max_classes = 1'000'000;  // and how many of them at most
};

struct CaseResult {
  std::string name, folder;
  bool passed = false;
  std::vector<std::string> reasons;  // why not
  std::vector<std::string> inexact;
};

// Throws nothing: what goes wrong is the result.
CaseResult run_case(const std::filesystem::path& folder, const CaseOptions& options);

// All of them, on `jobs` threads; the results in the order of the folders. Error(kUser) for a schedule that does not
// exist.
std::vector<CaseResult> run_cases(const std::vector<std::filesystem::path>& folders, const CaseOptions& options,
                                  int jobs);

}  // namespace millrace::front
