// SPDX-License-Identifier: Apache-2.0
#include "front/module_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

namespace millrace::front {

std::string read_file(const std::filesystem::path& path) {
  const std::string name = path.string();
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::kUser, fmt::format("{} {}", name, why)); };
  if (status.type() == std::filesystem::file_type::not_found) refuse("does not exist");
  if (error) refuse("cannot be read: " + error.message());
  if (!std::filesystem::is_regular_file(status)) refuse("is not a regular file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  const auto size = std::filesystem::file_size(path, error);
  if (error) refuse("cannot be read: " + error.message());
  std::string bytes(size, '\0');
  if (size > 0 && !in.read(bytes.data(), static_cast<std::streamsize>(size))) refuse("could not be read to its end");
  return bytes;
}

void require_folder_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto folder = file.parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error))
    throw Error(ErrorCode::kUser, fmt::format("{} cannot be written: {} is no folder", file.string(), folder.string()));
}

Kernel read_kernel(std::string_view bytes, const std::string& name, const std::string& pick) {
  if (bytes.empty()) throw Error(ErrorCode::kUser, fmt::format("{} is empty, not a module", name));
  Kernel kernel;
  kernel.name = name;
  if (!is_stablehlo(bytes)) {
    if (!pick.empty())
      throw Error(ErrorCode::kUser,
                  fmt::format("{} is one Mosaic module; --kernel picks one out of a StableHLO text", name));
    kernel.module = mosaic::read_module(bytes, name, kernel.origin);
    return kernel;
  }
  CustomCall call = find_custom_call(bytes, pick, name);
  const std::string inner =
      fmt::format("{}:{}: {}", name, call.line, call.kernel_name.empty() ? "kernel" : call.kernel_name);
  kernel.module = mosaic::read_module(call.body, inner, kernel.origin);
  if (kernel.module.name.empty()) kernel.module.name = call.kernel_name;
  call.body.clear();
  kernel.call = std::move(call);
  return kernel;
}

Kernel read_kernel_file(const std::filesystem::path& path, const std::string& pick) {
  std::error_code error;
  const auto file = std::filesystem::is_directory(path, error) ? path / "kernel.mlirbc" : path;
  return read_kernel(read_file(file), file.string(), pick);
}

}  // namespace millrace::front
