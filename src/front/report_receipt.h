// SPDX-License-Identifier: Apache-2.0
// What stands behind a report, as receipts (docs/schema/receipt.schema.json): its own, of execution "modeled", and
// those of compilers and devices that somebody wants to see beside it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "front/view_kernel.h"

namespace millrace::front {

// Which module and inputs were simulated, how, by which Millrace, and what that does not say. No device took part.
nlohmann::ordered_json modeled_receipt(const ViewRequest& request, const LoadedKernel& loaded);

// What `run --receipt` and `compile --receipt` have written. Error(kUser) where the file is none of them.
nlohmann::ordered_json read_receipt(const std::filesystem::path& file);

}  // namespace millrace::front
