// SPDX-License-Identifier: Apache-2.0
// The handler behind millrace_xla_call.
#pragma once

#include "c_api/xla_abi.h"

namespace millrace::c_api {

// Null where the call went well, else an error of XLA's. Never throws.
xla::Error* xla_call(const xla::CallFrame& frame) noexcept;

}  // namespace millrace::c_api
