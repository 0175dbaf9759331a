// SPDX-License-Identifier: Apache-2.0
// Compile options as PJRT takes them: a serialised protobuf, written by hand, of one replica on one device.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace millrace::target {

// A flag of one compile: text as it is, or a number.
struct CompileFlag {
  std::string name, text;
  bool is_number = false;
  std::int64_t number = 0;
};

std::string compile_options(const std::vector<CompileFlag>& flags = {});

}  // namespace millrace::target
