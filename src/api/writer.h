// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "check/last_writer.h"
#include "millrace/run.h"

namespace millrace::api {

// Who wrote this element of an output last; empty where nobody did.
std::optional<Writer> last_writer(const checkers::LastWriter& observer, std::size_t output,
                                  const std::vector<std::int64_t>& element);

}  // namespace millrace::api
