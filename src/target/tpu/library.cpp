// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <vector>

#include "millrace/error.h"

namespace millrace::target {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// The entries of a folder whose names begin so, sorted; none where there is no such folder.
std::vector<fs::path> beginning(const fs::path& folder, const std::string& with) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(with)) found.push_back(it->path());
  std::sort(found.begin(), found.end());
  return found;
}

// "libtpu-0.0.37.dist-info" lies beside the package's folder.
std::string version_beside(const fs::path& library) {
  const std::string head = "libtpu-", tail = ".dist-info";
  for (const fs::path& entry : beginning(library.parent_path().parent_path(), head)) {
    const std::string name = entry.filename().string();
    if (name.ends_with(tail)) return name.substr(head.size(), name.size() - head.size() - tail.size());
  }
  return "";
}

// In a Python's prefix, such as a virtual environment.
std::optional<fs::path> in_prefix(const fs::path& prefix) {
  for (const char* lib : {"lib", "lib64", "local/lib"})
    for (const fs::path& python : beginning(prefix / lib, "python3"))
      for (const char* packages : {"site-packages", "dist-packages"})
        if (const fs::path found = python / packages / "libtpu" / "libtpu.so"; is_file(found)) return found;
  return {};
}

std::vector<fs::path> prefixes(const Surroundings& s) {
  std::vector<fs::path> all;
  if (!s.program.empty()) all.push_back(s.program.parent_path().parent_path().parent_path() / "build-libtpu" / "venv");
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string prefix = s.variable(variable); !prefix.empty()) all.emplace_back(prefix);
  const std::string path = s.variable("PATH");
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path folder = path.substr(begin, end - begin);
    if (folder.is_absolute() && folder.filename() == "bin" && is_file(folder / "python3"))
      all.push_back(folder.parent_path());
    begin = end + 1;
  }
  if (const std::string home = s.variable("HOME"); !home.empty()) all.push_back(fs::path(home) / ".local");
  return all;
}

}  // namespace

Surroundings Surroundings::of_this_process() {
  std::error_code error;
  return {[](const std::string& name) {
            const char* value = std::getenv(name.c_str());
            return std::string(value ? value : "");
          },
          fs::read_symlink("/proc/self/exe", error)};
}

Library find_libtpu(const std::string& given, const Surroundings& surroundings) {
  const auto named = [](const std::string& path, const std::string& by) -> Library {
    if (!is_file(path)) throw Error(ErrorCode::kUser, fmt::format("{} {}: there is no such file", by, path));
    const std::string whole = fs::absolute(path).lexically_normal().string();
    return {whole, version_beside(whole)};
  };
  if (!given.empty()) return named(given, "--libtpu");
  for (const char* variable : {"MILLRACE_LIBTPU", "TPU_LIBRARY_PATH"})
    if (const std::string path = surroundings.variable(variable); !path.empty()) return named(path, variable);
  for (const fs::path& prefix : prefixes(surroundings))
    if (const auto found = in_prefix(fs::absolute(prefix))) return {found->string(), version_beside(*found)};
  throw Error(
      ErrorCode::kUnsupported,
      fmt::format("libtpu, the TPU compiler, was not found; nothing was compiled or run. `make libtpu` or `pip "
                  "install libtpu=={}` installs it (under its owner's terms: docs/tpu.md), and --libtpu FILE or "
                  "MILLRACE_LIBTPU names it",
                  kPinnedLibtpu));
}

}  // namespace millrace::target
