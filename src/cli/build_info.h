// SPDX-License-Identifier: Apache-2.0
// What this build is: version, commit, compiler, LLVM.
#pragma once

#include <string>

#include "lab/environment.h"

namespace millrace::cli {

lab::BuildInfo build_info();  // commit is "unknown" where the sources are no git checkout

std::string version_line();  // "millrace 0.1.0 (commit 0123456789ab)"

}  // namespace millrace::cli
