// SPDX-License-Identifier: Apache-2.0
#include "front/convert.h"

#include <fmt/format.h>

#include "front/module_file.h"
#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::front {

void convert(const std::filesystem::path& in, const std::filesystem::path& out, const std::string& pick,
             const std::string& form, const std::string& names, int serde_version) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::kUser, what); };
  if (form != "text" && form != "bytecode") refuse(fmt::format("--form `{}` is neither text nor bytecode", form));
  if (names != "plain" && names != "stable") refuse(fmt::format("--names `{}` is neither plain nor stable", names));
  mosaic::WriteOptions options;
  options.form = form == "text" ? mosaic::Form::kText : mosaic::Form::kBytecode;
  options.names = names == "plain" ? mosaic::Names::kPlain : mosaic::Names::kStable;
  options.serde_version = serde_version;
  write_whole_file(out, mosaic::write_module(read_kernel_file(in, pick).module, options));
}

}  // namespace millrace::front
