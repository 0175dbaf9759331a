// SPDX-License-Identifier: Apache-2.0
// From which memories values may get to where, as far as a skeleton tells: a DMA takes them from its source to its
// target, a core from all that it reads to all that it writes. Memories go by the names of their operands.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/skeleton.h"

namespace millrace::explore {

// Those from which values may reach one of `names`, these among them.
std::set<std::string> reaching(const Skeleton& skeleton, const std::vector<std::string>& names);

// The first of `names` that the run writes: what it holds may depend on the order of a race. A slot of an input's
// window holds what its array holds.
std::optional<std::string> changed_name(const Skeleton& skeleton, const std::vector<std::string>& names);

}  // namespace millrace::explore
