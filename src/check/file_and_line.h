// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace millrace::checkers {

// "file.py:12" as file and line; nothing for other places, as scope names.
std::optional<std::pair<std::string, int>> file_and_line(std::string_view at);

}  // namespace millrace::checkers
