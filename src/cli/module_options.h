// SPDX-License-Identifier: Apache-2.0
// The options of every command that runs a module.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/app.h"
#include "front/run_kernel.h"

namespace millrace::cli {

struct ModuleOptions {
  std::string path;
  front::KernelRequest request;  // as far as options are taken as they are
  std::vector<std::string> aliases, output_shapes;
  std::string dtype;
  std::int64_t outputs = 0;  // 0: not given
};

void add_module_options(CLI::App& command, ModuleOptions& options);
void add_schedule_option(CLI::App& command, ModuleOptions& options);  // of a command that runs under one schedule

// What has to be taken apart is; Error(kUser) where that does not go.
front::KernelRequest request_of(const ModuleOptions& options);

}  // namespace millrace::cli
