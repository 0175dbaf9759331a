// SPDX-License-Identifier: Apache-2.0
// Lines of a kernel's own source, around the places that findings name.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "millrace/report.h"

namespace millrace::front {

// By file, as the finding names it, and by line, from 1.
using SourceLines = std::map<std::string, std::map<int, std::string>>;

// Looks for a file in the places that `where` gives for its name, in their order. A module may name any file of the
// machine, and its report may go to anybody: only files that are called like source files are opened, and what is no
// text is left out.
using Places = std::function<std::vector<std::filesystem::path>(const std::string& name)>;
SourceLines source_lines(const std::vector<Finding>& findings, const Places& where);

// Where it is named, and beside the module.
SourceLines source_lines(const std::vector<Finding>& findings, const std::filesystem::path& module);

}  // namespace millrace::front
