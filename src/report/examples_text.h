// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace millrace::report {

std::string_view examples_text();  // of examples/faults/faults.h

}  // namespace millrace::report
