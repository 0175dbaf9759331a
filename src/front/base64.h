// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace millrace::front {

// The bytes that `text` (RFC 4648, padded) stands for; nothing where it is no base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace millrace::front
