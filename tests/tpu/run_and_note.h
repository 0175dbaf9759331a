// SPDX-License-Identifier: Apache-2.0
// Comes before an example (CMakeLists.txt), so that what it runs is noted: tests/tpu/examples_test.cpp.
#pragma once

#include <vector>

#include "millrace/millrace.h"

namespace millrace {

Results run_and_note(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options = {});

}  // namespace millrace

#define run run_and_note
