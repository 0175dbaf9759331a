// SPDX-License-Identifier: Apache-2.0
// Workloads in the simulator against the same loops in C++, and against another program.
#pragma once

#include <string>
#include <vector>

#include "bench/pairs.h"
#include "bench/peer.h"
#include "bench/workloads.h"

namespace millrace::bench {

// Throws Error(kInternal) where the numbers do not agree.
Pairing against_native(const Workload& workload);
Pairing against_peer(const Workload& workload, Peer& peer);

}  // namespace millrace::bench
