// SPDX-License-Identifier: Apache-2.0
// `millrace explain`: what a finding's id means.
#pragma once

#include <string>
#include <string_view>

namespace millrace::report {

// What it means, its smallest example, how it is mended, its clause. Error(kUser) for a word that is no id.
std::string explain(std::string_view id);

// All ids, a line each.
std::string explain_all();

// The example of an id in the text of examples/faults/faults.h; empty where it has none.
std::string example_of(std::string_view id);

}  // namespace millrace::report
