// SPDX-License-Identifier: Apache-2.0
// C++ text with everything blanked out that only looks like code.
#pragma once

#include <string>
#include <string_view>

namespace millrace::tidy {

// The same text, line for line and column for column, with spaces for comments, preprocessor lines, and what stands in
// string and character literals (raw ones too).
std::string blank_out(std::string_view text);

}  // namespace millrace::tidy
