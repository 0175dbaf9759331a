// SPDX-License-Identifier: Apache-2.0
#include "program/scopes.h"

#include <fmt/format.h>

#include "mosaic/each_op.h"

namespace millrace::program {

std::vector<Scoped> scoped_of(const mosaic::Function& kernel) {
  std::vector<Scoped> found;
  std::uint32_t memories = 0, semaphores = 0;
  mosaic::each_op(kernel.body, [&](const mosaic::Op& o) {
    if ((o.name != "memref.alloca" && o.name != "tpu.sem_alloc") || o.results.size() != 1) return;
    const bool semaphore = kernel.values[o.results[0]].space == mosaic::MemorySpace::kSemaphore;
    found.push_back({o.results[0], semaphore, semaphore ? semaphores++ : memories++});
  });
  return found;
}

std::string name_of(const Scoped& scoped) {
  return fmt::format("{}{}", scoped.semaphore ? "scopedsem" : "scoped", scoped.number);
}

}  // namespace millrace::program
