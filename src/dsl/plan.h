// SPDX-License-Identifier: Apache-2.0
// What a Kernel holds: the body and what it was declared with. Nothing is traced yet.
#pragma once

#include <string>
#include <vector>

#include "millrace/kernel.h"

namespace millrace::dsl {

struct KernelPlan {
  std::string name;
  Site at;
  Body body;
  std::vector<MemorySpec> in, out;  // of a kernel of whole arrays
  std::optional<GridSpec> grid;     // of a grid kernel
  std::vector<ScratchSpec> scratch;
  std::vector<Alias> aliases;
};

// Error(kUser) where the two arrays of an alias are not alike.
void check_alias(const KernelPlan& plan, const Alias& alias, const ArraySpec& input, const ArraySpec& output);

}  // namespace millrace::dsl
