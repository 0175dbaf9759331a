// SPDX-License-Identifier: Apache-2.0
// The TPU compiler's answer as text, as a table over chips, and as JSON: a receipt of execution "compiled"
// (docs/schema/receipt.schema.json), whose device is null since nothing was run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "front/compile_kernel.h"

namespace millrace::front {

struct CompileReport {
  std::string millrace_version;
  target::Library library;
  const KernelToCompile& kernel;
  std::vector<CompiledKernel> chips;
};

std::string to_text(const CompileReport& report);
nlohmann::ordered_json to_json(const CompileReport& report);

// The part of a report page (view/report_html.h, "compiled"): one line, the kernel's.
nlohmann::ordered_json panel_json(const CompileReport& report);

}  // namespace millrace::front
