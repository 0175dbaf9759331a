// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace millrace::front {

// Reads a kernel, verifies it and writes it, whole or not at all. `form` is "text" or "bytecode", `names` "plain" or
// "stable"; Error(kUser) for any other.
void convert(const std::filesystem::path& in, const std::filesystem::path& out, const std::string& pick,
             const std::string& form, const std::string& names, int serde_version);

}  // namespace millrace::front
