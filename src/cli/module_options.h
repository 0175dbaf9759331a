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

// Which kernel, and what the module does not say of its call; `module` says what MODULE may be.
void add_call_options(CLI::App& command, ModuleOptions& options, const char* module);
// Those, and the arrays and the machine.
void add_module_options(CLI::App& command, ModuleOptions& options);
void add_schedule_option(CLI::App& command, ModuleOptions& options);  // of a command that runs under one schedule

// What has to be taken apart is; Error(kUser) where that does not go.
front::KernelRequest request_of(const ModuleOptions& options);

// "17x257", or "()"; Error(kUser) names the option.
Shape shape_named(const std::string& option, const std::string& text);

}  // namespace millrace::cli
