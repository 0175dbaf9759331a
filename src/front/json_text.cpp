// SPDX-License-Identifier: Apache-2.0
#include "front/json_text.h"

#include <fmt/format.h>

#include "millrace/error.h"

namespace millrace::front {

namespace {

constexpr int kMaxDepth = 64;

// Brackets outside strings, before anything is built.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      if (c == '[' || c == '{') ++depth;
      if (c == ']' || c == '}') --depth;
      if (depth > kMaxDepth) return true;
    }
  }
  return false;
}

}  // namespace

nlohmann::json parse_json_object(std::string_view text, const std::string& name) {
  if (nests_too_deep(text)) throw Error(ErrorCode::kUser, fmt::format("{} nests deeper than {}", name, kMaxDepth));
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    throw Error(ErrorCode::kUser, fmt::format("{} is no JSON object", name));
  return json;
}

std::int64_t integer_of(const nlohmann::json& json, const std::string& name, std::int64_t least, std::int64_t most) {
  const bool large = json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most);
  if (!json.is_number_integer() || large || json.get<std::int64_t>() < least || json.get<std::int64_t>() > most)
    throw Error(ErrorCode::kUser,
                fmt::format("{} is {}; a whole number from {} to {} is due", name,
                            json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace), least, most));
  return json.get<std::int64_t>();
}

void require_whole_numbers(const nlohmann::json& json, const std::string& name) {
  if (json.is_number_float())
    throw Error(ErrorCode::kUser, fmt::format("{} holds {}, which is not whole", name, json.dump()));
  if (!json.is_structured()) return;
  for (const auto& inner : json) require_whole_numbers(inner, name);
}

}  // namespace millrace::front
