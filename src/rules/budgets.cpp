// SPDX-License-Identifier: Apache-2.0
// What a kernel allocates against what the chip gives it: windows, scratch and the buffers of its scopes.
#include <fmt/format.h>

#include "rules/footprint.h"
#include "rules/judge.h"

namespace millrace::rules {

namespace {

constexpr std::string_view kSemaphores = "semaphores";

// What takes most of a memory; the first of several.
Held largest(const Footprint& f, std::string_view memory) {
  Held most;
  for (const Held& h : f.held)
    if (h.memory == memory && h.bytes > most.bytes) most = h;
  return most;
}

}  // namespace

Budget budget_of(const Question& question) {
  const Bytes needed = footprint_of(question).total;
  return {needed.vmem, needed.smem, needed.semaphores};
}

void judge_budgets(Judge& judge) {
  const Footprint f = footprint_of(judge);
  const auto over = [&](const char* id, std::string_view memory, std::int64_t bytes, std::int64_t limit,
                        const char* hint) {
    if (bytes <= limit) return;
    const Held most = largest(f, memory);
    const std::string_view what = memory == kSemaphores ? "semaphore memory" : memory;
    judge.report(judge.kernel().location, id, most.name,
                 fmt::format("the kernel needs {} bytes of {}; {} gives it {}; {} takes {}", bytes, what,
                             judge.chip().name, limit, most.name, most.bytes),
                 hint);
  };
  over("target.vmem", "VMEM", f.total.vmem, f.limit.vmem, "smaller blocks, fewer slots, or a larger vmem_limit_bytes");
  over("target.smem", "SMEM", f.total.smem, f.limit.smem, "keep tables in HBM and copy the part that is needed");
  over("target.semaphore-memory", kSemaphores, f.total.semaphores, f.limit.semaphores,
       "use one semaphore for several copies, or fewer slots");
}

}  // namespace millrace::rules
