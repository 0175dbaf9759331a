// SPDX-License-Identifier: Apache-2.0
// What it costs to look at all orders of events.
#pragma once

#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// A correct pipeline of 10 steps and 4 buffers (one class), and the classes of small racy models, each by itself.
// Error(kInternal) where there are other classes than there should be.
std::vector<Pairing> exploring();

}  // namespace millrace::bench
