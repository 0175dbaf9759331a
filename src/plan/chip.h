// SPDX-License-Identifier: Apache-2.0
// What is known of the chips that a kernel may be written for, per TensorCore. A simulated chip is never a device:
// these figures say what a kernel must fit, not where anything ran.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::plan {

struct Chip {
  std::string_view name;             // "v5e", as --chip takes it
  std::string_view kind;             // "TPU v5 lite", as JAX calls it
  int generation = 0;                // 2 ... 7
  int cores = 1;                     // TensorCores of one chip
  std::int64_t vmem = 0;             // bytes
  std::int64_t vmem_limit = 0;       // bytes that one kernel gets unless it asks for more
  std::int64_t smem = 0;             // bytes
  std::int64_t semaphore_bytes = 0;  // at 4 bytes a semaphore
  std::int64_t dma_granule = 0;      // bytes in which a DMA raises a DMA semaphore
};

const std::vector<Chip>& chips();  // oldest first

// By its name or its kind. Error(kUser) names the chips there are.
const Chip& chip_named(std::string_view name);

}  // namespace millrace::plan
