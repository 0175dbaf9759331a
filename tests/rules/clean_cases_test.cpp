// SPDX-License-Identifier: Apache-2.0
// Modules that the real compiler is known to take must break no rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "front/case_folder.h"
#include "front/module_file.h"
#include "rules/rules.h"

namespace millrace::rules {
namespace {

bool compiled_for_v5e(const std::filesystem::path& file) {
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in).value("libtpu", nlohmann::json());
  if (json.is_string()) return json == "compiles";
  const std::string target = json.is_object() ? json.value("target", "") : "";
  return (target == "v5e" || target == "TPU v5 lite") && json.value("result", "") == "compiles";
}

// Where there is a folder of more cases, those as well.
std::vector<std::filesystem::path> folders() {
  std::vector<std::filesystem::path> found;
  for (const char* root : {MILLRACE_SOURCE_DIR "/tests/cases", MILLRACE_CASES}) {
    if (!std::filesystem::is_directory(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
      if (entry.path().filename() == "case.json" && compiled_for_v5e(entry.path()))
        found.push_back(entry.path().parent_path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

TEST(Cases, WhatTheCompilerTakesBreaksNoRule) {
  EXPECT_GT(folders().size(), 50u);
  for (const auto& folder : folders()) {
    const front::CaseFolder c = front::read_case_folder(folder);
    const front::Kernel kernel = front::read_kernel_file(folder / "kernel.mlirbc");
    std::vector<Operand> operands;
    for (std::size_t i = c.bounds; i < c.inputs.size(); ++i)
      operands.push_back({"in" + std::to_string(i), c.inputs[i].tensor.shape});
    for (std::size_t i = 0; i < c.outputs.size(); ++i)
      operands.push_back({"out" + std::to_string(i), c.outputs[i].tensor.shape});
    for (const Finding& f : check_rules({kernel.module, plan::chip_named("v5e"), operands}))
      ADD_FAILURE() << c.name << ": " << f.id << ": " << f.message;
  }
}

}  // namespace
}  // namespace millrace::rules
