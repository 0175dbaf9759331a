// SPDX-License-Identifier: Apache-2.0
// How long an answer of the real TPU compiler takes, where it is there. It is the compiler that is measured, never a
// kernel.
#pragma once

#include <string>
#include <vector>

#include "bench/pairs.h"

namespace millrace::bench {

// The lesson's kernel, 1024x2048 in tiles of 8x128. For v5e: another compile in a process that has made one, against
// the whole first answer (a process, the library, one compile, its dumps). For all chips, one after the other, each in
// a process of its own, against that of one. Time on the wall: most of it is another process's. `worker` is `millrace`
// itself. Error(kUnsupported) where there is no libtpu.
std::vector<Pairing> compiled_axpy(const std::string& worker);

}  // namespace millrace::bench
