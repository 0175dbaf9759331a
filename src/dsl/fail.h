// SPDX-License-Identifier: Apache-2.0
// User errors at the caller's line. A file is named without its folder, so that messages are the same on any machine.
#pragma once

#include <string>

#include "millrace/error.h"
#include "millrace/site.h"

namespace millrace::dsl {

SourcePlace place_of(const Site& at);
[[noreturn]] void fail(const Site& at, const std::string& sentence);
[[noreturn]] void fail_unsupported(const Site& at, const std::string& sentence);

}  // namespace millrace::dsl
