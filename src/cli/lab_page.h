// SPDX-License-Identifier: Apache-2.0
// The lab's kernel as a page: with `lab --out DIR` the kernel that ran, its padded arrays and the report of it are
// kept.
#pragma once

#include <filesystem>
#include <optional>

#include "lab/compiled_for.h"
#include "lab/lab.h"

namespace millrace::cli {

// Writes kernel/kernel.mlirbc, kernel/in0.npy, kernel/in1.npy and report.html into `folder`, which is there. `panel`:
// what the TPU compiler says of the lesson's tiles, for the page. Errors as front::report_kernel.
void write_lab_page(const lab::LabRequest& request, const std::optional<lab::CompiledPanel>& panel,
                    const std::filesystem::path& folder);

}  // namespace millrace::cli
