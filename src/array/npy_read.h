// SPDX-License-Identifier: Apache-2.0
// Reading .npy files that others have written: also those in Fortran order, which the public read_npy refuses.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "millrace/array.h"

namespace millrace {

// As read_npy and parse_npy, but a file in Fortran order is put into C order as it is read.
Array read_npy_in_any_order(const std::filesystem::path& path, std::optional<DType> as = {});
Array parse_npy_in_any_order(std::span<const std::byte> file, const std::string& name, std::optional<DType> as = {});

}  // namespace millrace
