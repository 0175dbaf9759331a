// SPDX-License-Identifier: Apache-2.0
// Files that are there completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "millrace/export.h"

namespace millrace {

// Writes `head` and then `body` to a new temporary file beside `path` and renames it to `path`. Where that fails the
// temporary file is removed, what was at `path` stays, and Error(kUser) says why. A `path` that exists must be a
// regular file (so not /dev/null); a symbolic link to one is replaced by the file.
MILLRACE_API void write_whole_file(const std::filesystem::path& path, std::string_view head,
                                   std::string_view body = {});

}  // namespace millrace
