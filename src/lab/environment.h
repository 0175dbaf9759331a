// SPDX-License-Identifier: Apache-2.0
// Where the lab runs: the actual machine, kept apart from the layout that is simulated.
#pragma once

#include <string>

namespace millrace::lab {

// What the build knows of itself; filled in by whoever owns the program.
struct BuildInfo {
  std::string version, commit, compiler, llvm;
};

struct Environment {
  BuildInfo build;
  std::string host_cpu;  // "AMD EPYC 7B13", or "cpu" where the system does not say
};

// The processor's name as a text in the form of Linux's /proc/cpuinfo gives it, else "cpu".
std::string cpu_name_in(const std::string& cpuinfo);

std::string host_cpu();  // of this machine

}  // namespace millrace::lab
