// SPDX-License-Identifier: Apache-2.0
// Writing beside the target and renaming, so that no reader ever sees half a file.
#include "millrace/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "millrace/error.h"

namespace millrace {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& reason) {
  throw Error(ErrorCode::kUser, fmt::format("{} cannot be written: {}", path.string(), reason));
}

// A file open for writing that did not exist before, and its name. The names tried are fixed, one after the other.
struct Temporary {
  std::filesystem::path path;
  std::FILE* file = nullptr;

  explicit Temporary(const std::filesystem::path& beside) {
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries && file == nullptr; ++i) {
      path = beside;
      path += fmt::format(".tmp{}", i);
      file = std::fopen(path.c_str(), "wbx");  // x: fails where it exists
      if (file == nullptr && errno != EEXIST) break;
    }
    if (file == nullptr) refuse(beside, std::strerror(errno));
  }
};

bool put(std::FILE* file, std::string_view bytes) {
  return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view head, std::string_view body) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    refuse(path, std::filesystem::is_directory(status) ? "it is a directory" : "it is not a regular file");
  }
  const Temporary temporary(path);
  const bool written = put(temporary.file, head) && put(temporary.file, body);
  int failure = errno;
  if (std::fclose(temporary.file) != 0 || !written) {
    if (written) failure = errno;
    std::filesystem::remove(temporary.path, error);
    refuse(path, std::strerror(failure));
  }
  std::filesystem::rename(temporary.path, path, error);
  if (!error) return;
  const std::string reason = error.message();
  std::filesystem::remove(temporary.path, error);
  refuse(path, reason);
}

}  // namespace millrace
