// SPDX-License-Identifier: Apache-2.0
// A folder for files between a measurement and what it measures; it goes away with its owner.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "millrace/error.h"

namespace millrace::bench {

class Folder {
 public:
  // Error(kUser) where none can be made.
  Folder() : name_((std::filesystem::temp_directory_path() / "millrace_bench_XXXXXX").string()) {
    if (!::mkdtemp(name_.data())) throw Error(ErrorCode::kUser, "no temporary folder could be made");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(name_, ignored);
  }
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace millrace::bench
