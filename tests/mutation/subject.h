// SPDX-License-Identifier: Apache-2.0
// A correct kernel with its inputs, from a case folder, and what it does unedited.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "mosaic/ir.h"
#include "program/program.h"

namespace millrace::mutation {

struct Subject {
  std::string name;
  mosaic::Module module;
  std::vector<Array> inputs;
  std::vector<program::OperandSpec> outputs;
  program::Environment environment;
};

// Error where the folder's module or arrays cannot be read.
Subject read_subject(const std::filesystem::path& folder);

// What one run came to.
struct Observed {
  bool refused = false;               // by the verifier, or while lowering
  bool endless = false;               // more instructions than it may take
  std::vector<std::string> findings;  // their ids
  std::vector<Array> outputs;         // where it ended
  std::uint64_t steps = 0;
  std::string events;  // the event stream without places
};

Observed observe(const Subject& subject, const mosaic::Module& module, const std::string& schedule,
                 std::uint64_t max_steps);

bool same_bits(const std::vector<Array>& a, const std::vector<Array>& b);

}  // namespace millrace::mutation
