// SPDX-License-Identifier: Apache-2.0
// Words that a mutator puts into modules: those of the dialects that are read, and those of MLIR that no kernel needs.
#pragma once

#include <string_view>
#include <vector>

namespace millrace::fuzz {

const std::vector<std::string_view>& operation_words();
const std::vector<std::string_view>& attribute_words();
const std::vector<std::string_view>& type_words();
const std::vector<std::string_view>& number_words();

}  // namespace millrace::fuzz
