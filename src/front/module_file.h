// SPDX-License-Identifier: Apache-2.0
// A kernel as it comes: a Mosaic module in any of its forms, or one of those in a StableHLO text.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "front/stablehlo.h"
#include "mosaic/io.h"

namespace millrace::front {

// To be asked before a long run whose result goes into `file`: Error(kUser) where its folder is not there.
void require_folder_of(const std::filesystem::path& file);

struct Kernel {
  std::string name;  // of the file, for messages
  mosaic::Module module;
  mosaic::Origin origin;
  std::optional<CustomCall> call;  // how a StableHLO text calls it; its body is read and gone
};

// The whole file. Error(kUser) where it cannot be read.
std::string read_file(const std::filesystem::path& path);

// `pick` is --kernel: empty, or which custom call of a StableHLO text. Throws as mosaic::read_module and
// find_custom_call do.
Kernel read_kernel(std::string_view bytes, const std::string& name, const std::string& pick = "");
// Of a case folder: its kernel.mlirbc.
Kernel read_kernel_file(const std::filesystem::path& path, const std::string& pick = "");

}  // namespace millrace::front
