// SPDX-License-Identifier: Apache-2.0
// Scalar arithmetic that is decided while tracing: on known numbers, and where a known side makes the other one, or
// nothing, the result (x + 0, x * 1, x % 1). Keeps the modules of static pipelines small.
#pragma once

#include <optional>

#include "dsl/arith.h"

namespace millrace::dsl {

std::optional<Node> fold(Binary op, const Node& a, const Node& b, const Site& at);
std::optional<Node> fold(Compare op, const Node& a, const Node& b);

}  // namespace millrace::dsl
