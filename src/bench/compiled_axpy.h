// SPDX-License-Identifier: Apache-2.0
// How long an answer of the real TPU compiler takes, where it is there.
#pragma once

#include <string>

#include "bench/pairs.h"

namespace millrace::bench {

// The lesson's kernel, 1024x2048 in tiles of 8x128, for v5e: another compile in a process that has made one, against
// the whole first answer (a process, the library, one compile, its dumps). Time on the wall: most of it is another
// process's. `worker` is `millrace` itself. Error(kUnsupported) where there is no libtpu.
Pairing compiled_axpy(const std::string& worker);

}  // namespace millrace::bench
