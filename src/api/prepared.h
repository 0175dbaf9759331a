// SPDX-License-Identifier: Apache-2.0
// A kernel of the language, traced and lowered for inputs like these.
#pragma once

#include <memory>
#include <vector>

#include "api/simulate.h"
#include "millrace/kernel.h"

namespace millrace::api {

// `blocks_in_place` as in dsl/trace.h.
std::unique_ptr<const Executable> prepared(const Kernel& kernel, const std::vector<Array>& inputs,
                                           bool blocks_in_place = false);

}  // namespace millrace::api
