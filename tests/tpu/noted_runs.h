// SPDX-License-Identifier: Apache-2.0
// Read before an example that examples_test.cpp builds once more: what it runs is noted. The language's own headers come
// first, as other things are called `run` there.
#pragma once

#include "millrace/millrace.h"

namespace millrace {
Results run_and_note(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options = {});
}

#define run run_and_note
