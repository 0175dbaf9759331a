// SPDX-License-Identifier: Apache-2.0
// How a kernel is to be run and judged, as callers from other languages say it: JSON, described in millrace/c_api.h.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "front/check_kernel.h"

namespace millrace::c_api {

enum class Check { kNone, kRaces, kAll };

struct Options {
  std::string name = "kernel";
  Check check = Check::kAll;
  front::CheckRequest request;                         // of it: what is not a file
  std::vector<std::string> arguments;                  // names of operands and scratch, in their order
  std::vector<std::string> scoped, scoped_semaphores;  // of what its scopes allocate, in the module's order
  std::string root;
};

std::string_view name_of(Check check);  // "all"

// Error(kUser) for a field that is not known or of another kind than it must be, and for what no machine here is like.
Options options_of(const nlohmann::json& json);

}  // namespace millrace::c_api
