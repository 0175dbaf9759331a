// SPDX-License-Identifier: Apache-2.0
// What may not stand in the project's text at all.
#pragma once

#include "tree.h"

namespace millrace::tidy {

Complaints check_paths(const Tree& tree);            // places on somebody's own machine
Complaints check_using_namespace(const Tree& tree);  // `using namespace` in a header, tests' own aside

}  // namespace millrace::tidy
