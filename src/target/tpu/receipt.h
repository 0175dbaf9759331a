// SPDX-License-Identifier: Apache-2.0
// What a receipt (target/receipt.h) says of a run on a TPU, whatever was run.
#pragma once

#include <string>

#include "target/receipt.h"
#include "target/tpu/measure.h"

namespace millrace::target {

// Device, platform, versions and boundary; the rest is the caller's to fill in.
ReceiptFacts facts_of(const Measured& measured, const Library& library, const std::string& millrace_version);

}  // namespace millrace::target
