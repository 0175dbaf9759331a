// SPDX-License-Identifier: Apache-2.0
// JSON that somebody else has written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace millrace::front {

// An object. Error(kUser) where the text is none, or nests deeper than 64: whoever walks or prints it recurses. `name`
// opens the sentence.
nlohmann::json parse_json_object(std::string_view text, const std::string& name);

}  // namespace millrace::front
