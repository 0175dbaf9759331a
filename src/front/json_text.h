// SPDX-License-Identifier: Apache-2.0
// JSON that somebody else has written.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace millrace::front {

// An object. Error(kUser) where the text is none, or nests deeper than 64: whoever walks or prints it recurses. `name`
// opens the sentence.
nlohmann::json parse_json_object(std::string_view text, const std::string& name);

// A whole number from `least` to `most`; Error(kUser) for any other value. (Of a number with a fraction or an exponent
// nlohmann would make any integer.)
std::int64_t integer_of(const nlohmann::json& json, const std::string& name, std::int64_t least, std::int64_t most);

// Error(kUser) where a number in it, however deep, is not whole.
void require_whole_numbers(const nlohmann::json& json, const std::string& name);

}  // namespace millrace::front
