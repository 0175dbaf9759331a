// SPDX-License-Identifier: Apache-2.0
#include "program/scopes.h"

#include <fmt/format.h>

namespace millrace::program {

// Iterative: the depth of a module is its author's.
std::vector<Scoped> scoped_of(const mosaic::Function& kernel) {
  struct Open {
    const std::vector<mosaic::Op>* ops;
    std::size_t next;
  };
  std::vector<Scoped> found;
  std::uint32_t memories = 0, semaphores = 0;
  std::vector<Open> open{{&kernel.body.ops, 0}};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.ops->size()) {
      open.pop_back();
      continue;
    }
    const mosaic::Op& o = (*top.ops)[top.next++];
    if ((o.name == "memref.alloca" || o.name == "tpu.sem_alloc") && o.results.size() == 1) {
      const bool semaphore = kernel.values[o.results[0]].space == mosaic::MemorySpace::kSemaphore;
      found.push_back({o.results[0], semaphore, semaphore ? semaphores++ : memories++});
    }
    for (std::size_t r = o.regions.size(); r-- > 0;) open.push_back({&o.regions[r].ops, 0});
  }
  return found;
}

std::string name_of(const Scoped& scoped) {
  return fmt::format("{}{}", scoped.semaphore ? "scopedsem" : "scoped", scoped.number);
}

}  // namespace millrace::program
