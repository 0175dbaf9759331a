// SPDX-License-Identifier: Apache-2.0
#include "cli/build_info.h"

#include <fmt/format.h>

#include "millrace_commit.h"  // written by commit.cmake at every build

namespace millrace::cli {

lab::BuildInfo build_info() { return {MILLRACE_VERSION, MILLRACE_COMMIT, MILLRACE_COMPILER, MILLRACE_LLVM_VERSION}; }

std::string version_line() {
  return fmt::format("millrace {} (commit {})", MILLRACE_VERSION, std::string(MILLRACE_COMMIT).substr(0, 12));
}

}  // namespace millrace::cli
