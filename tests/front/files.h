// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>

#include "millrace/array.h"

namespace millrace::front::test {

namespace fs = std::filesystem;

inline fs::path data(const std::string& name) { return fs::path(MILLRACE_SOURCE_DIR) / "tests" / name; }

inline std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A fresh folder that goes away with the object.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "millrace_front_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// "user: sentence", "unsupported: sentence"; "no error" where there is none.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    const char* kinds[] = {"", "finding: ", "user: ", "unsupported: ", "internal: "};
    return kinds[static_cast<int>(error.code())] + std::string(error.what());
  }
  return "no error";
}

}  // namespace millrace::front::test
