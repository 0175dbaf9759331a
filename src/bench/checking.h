// SPDX-License-Identifier: Apache-2.0
// What checking costs beside running.
#pragma once

#include <vector>

#include "bench/pairs.h"
#include "bench/peer.h"

namespace millrace::bench {

// All checks of the pipelined axpy against its plain run, both prepared before: of 512 and of 32,768 steps, which go
// round the same 16 tiles; and a checked step of 32,768 against one of 512. Then checked steps of a grid of which every
// other has undefined elements, padding at the edge of its arrays, against one that has none. Error(kInternal) where a
// kernel is not clean.
std::vector<Pairing> check_against_run();

// The same checks against another program's race detector: of the peer's workload "axpy-races".
Pairing check_against_peer(Peer& peer, std::int64_t steps);

}  // namespace millrace::bench
