// SPDX-License-Identifier: Apache-2.0
// What memories are called. A program calls them "in0", "out1", "scratch0", "scoped0"; whoever wrote the kernel has
// better words.
#pragma once

#include <map>
#include <string>

#include "program/program.h"

namespace millrace::api {

using Names = std::map<std::string, std::string>;  // "in0" -> "x_ref"

// Calls the memories of the program, and its windows, by these names. None of them may be one that another memory has:
// then nothing is renamed, since a name must tell memories apart. Returns whether they are in use now.
bool rename(program::Program& program, const Names& names);

}  // namespace millrace::api
