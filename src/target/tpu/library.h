// SPDX-License-Identifier: Apache-2.0
// Where the TPU compiler lies on this machine. Millrace neither has it nor fetches it; docs/tpu.md says whose terms
// apply.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace millrace::target {

inline constexpr const char* kPinnedLibtpu = "0.0.37";  // whose dumps the tests have seen

// Where to look; a test makes its own.
struct Surroundings {
  std::function<std::string(const std::string& variable)> variable;  // "" where it is not set
  std::filesystem::path program;                                     // of this process

  static Surroundings of_this_process();
};

struct Library {
  std::string path;
  std::string version;  // as the Python package beside it says; empty where there is none
};

// `given`, else what MILLRACE_LIBTPU or TPU_LIBRARY_PATH name, else that of `make libtpu`, of the active Python
// environment, or of a Python on the PATH. Error(kUser) where a named file is not there, Error(kUnsupported), with
// advice, where nothing is found.
Library find_libtpu(const std::string& given, const Surroundings& surroundings = Surroundings::of_this_process());

}  // namespace millrace::target
