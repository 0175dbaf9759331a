// SPDX-License-Identifier: Apache-2.0
// What a kernel allocates against what the chip gives it: windows, scratch and the buffers of its scopes.
#include <fmt/format.h>

#include "rules/footprint.h"
#include "rules/judge.h"

namespace millrace::rules {

Budget budget_of(const Question& question) {
  const Bytes needed = footprint_of(question).total;
  return {needed.vmem, needed.smem, needed.semaphores};
}

void judge_budgets(Judge& judge) {
  const Footprint f = footprint_of(judge);
  const auto over = [&](const char* id, const char* what, std::int64_t bytes, std::int64_t limit, const char* hint) {
    if (bytes <= limit) return;
    judge.report(judge.kernel().location, id, "",
                 fmt::format("the kernel needs {} bytes of {}; {} gives it {}", bytes, what, judge.chip().name, limit),
                 hint);
  };
  over("target.vmem", "VMEM", f.total.vmem, f.limit.vmem, "smaller blocks, fewer slots, or a larger vmem_limit_bytes");
  over("target.smem", "SMEM", f.total.smem, f.limit.smem, "keep tables in HBM and copy the part that is needed");
  over("target.semaphore-memory", "semaphore memory", f.total.semaphores, f.limit.semaphores,
       "use one semaphore for several copies, or fewer slots");
}

}  // namespace millrace::rules
