// SPDX-License-Identifier: Apache-2.0
// Names and places come from files that anybody wrote: in a message they may neither end it nor steer a terminal.
#pragma once

#include <string>
#include <string_view>

namespace millrace {

// Control characters but the newline as \xNN; all else, UTF-8 too, as it is.
std::string visible(std::string_view text);

}  // namespace millrace
