// SPDX-License-Identifier: Apache-2.0
// Sources: JAX's public table of TPU generations; VMEM limits, semaphore memory and granules as the TPU compiler
// reports them when it compiles for each chip.
#include "plan/chip.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"

namespace millrace::plan {

namespace {

constexpr std::int64_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr std::int64_t kSemaphores = 2 * kKiB, kMoreSemaphores = 16 * kKiB;

}  // namespace

const std::vector<Chip>& chips() {
  static const std::vector<Chip> table = {
      {"v2", "TPU v2", 2, 2, 16 * kMiB, 16 * kMiB, 16 * kKiB, kSemaphores, 1024},
      {"v3", "TPU v3", 3, 2, 16 * kMiB, 16 * kMiB, 16 * kKiB, kSemaphores, 1024},
      {"v4", "TPU v4", 4, 2, 16 * kMiB, 16 * kMiB, kMiB, kSemaphores, 512},
      {"v5e", "TPU v5 lite", 5, 1, 128 * kMiB, 16 * kMiB, kMiB, kSemaphores, 32},
      {"v5p", "TPU v5", 5, 2, 64 * kMiB, 16 * kMiB, kMiB, kSemaphores, 32},
      {"v6e", "TPU v6 lite", 6, 1, 128 * kMiB, 32 * kMiB, kMiB, kSemaphores, 32},
      {"tpu7x", "TPU7x", 7, 2, 64 * kMiB, 32 * kMiB, kMiB, kMoreSemaphores, 32},
  };
  return table;
}

const Chip& chip_named(std::string_view name) {
  const auto found = std::ranges::find_if(chips(), [&](const Chip& c) {
    return c.name == name || c.kind == name || "TPU " + std::string(c.name) == name ||
           (name == "7x" && c.generation == 7);
  });
  if (found != chips().end()) return *found;
  std::string names;
  for (const Chip& c : chips()) names += (names.empty() ? "" : ", ") + std::string(c.name);
  throw Error(ErrorCode::kUser, fmt::format("there is no chip `{}`; there are {}", name, names));
}

}  // namespace millrace::plan
