// SPDX-License-Identifier: Apache-2.0
// What a kernel allocates against what the chip gives it: windows, scratch and the buffers of its scopes, whole tiles
// counted. Scopes beside each other share their bytes.
#include <fmt/format.h>

#include <algorithm>

#include "rules/judge.h"

namespace millrace::rules {

namespace {

using mosaic::MemorySpace;
using mosaic::Op;
using mosaic::Region;
using mosaic::Type;

// Bytes by kind of memory.
struct Bytes {
  std::int64_t vmem = 0, smem = 0, semaphores = 0;
  void add(const Bytes& b) { vmem += b.vmem, smem += b.smem, semaphores += b.semaphores; }
  void most(const Bytes& b) {
    vmem = std::max(vmem, b.vmem), smem = std::max(smem, b.smem), semaphores = std::max(semaphores, b.semaphores);
  }
};

Bytes of(const Type& type, std::int64_t slots = 1) {
  std::int64_t elements = 1;
  for (std::int64_t n : type.shape) elements = std::min(elements * std::max<std::int64_t>(n, 0), std::int64_t{1} << 40);
  Bytes b;
  if (type.space == MemorySpace::kVmem) b.vmem = slots * std::min(padded_bytes(type), std::int64_t{1} << 50);
  if (type.space == MemorySpace::kSmem) b.smem = slots * elements * 4;
  if (type.space == MemorySpace::kSemaphore) b.semaphores = slots * elements * 4;
  return b;
}

std::int64_t slots_of(const mosaic::DictionaryAttr* window) {
  if (!window || !window->find("window_bounds")) return 1;
  const auto* mode = mosaic::as_dialect(window->find("pipeline_mode"));
  return mode && !mode->keywords.empty() && mode->keywords[0] == "synchronous" ? 1 : 2;
}

// The most that lives at one time inside a region.
Bytes peak(const Judge& judge, const Region& region) {
  Bytes here, deepest;
  for (const Op& op : region.ops) {
    if ((op.name == "memref.alloca" || op.name == "tpu.sem_alloc") && op.results.size() == 1 &&
        judge.used(op.results[0]))
      here.add(of(judge.type_of(op.results[0])));
    for (const Region& inner : op.regions) deepest.most(peak(judge, inner));
  }
  here.add(deepest);
  return here;
}

Bytes needed_by(const Judge& judge) {
  Bytes needed;
  for (const Argument& a : judge.arguments()) needed.add(of(*a.type, slots_of(a.window)));
  needed.add(peak(judge, judge.kernel().body));
  return needed;
}

}  // namespace

Budget budget_of(const Question& question) {
  const Bytes needed = needed_by(Judge(question));
  return {needed.vmem, needed.smem, needed.semaphores};
}

void judge_budgets(Judge& judge) {
  const Bytes needed = needed_by(judge);
  const auto over = [&](const char* id, const char* what, std::int64_t bytes, std::int64_t limit, const char* hint) {
    if (bytes <= limit) return;
    judge.report(judge.kernel().location, id, "",
                 fmt::format("the kernel needs {} bytes of {}; {} gives it {}", bytes, what, judge.chip().name, limit),
                 hint);
  };
  over("target.vmem", "VMEM", needed.vmem, judge.question().vmem_limit.value_or(judge.chip().vmem_limit),
       "smaller blocks, fewer slots, or a larger vmem_limit_bytes");
  over("target.smem", "SMEM", needed.smem, judge.chip().smem, "keep tables in HBM and copy the part that is needed");
  over("target.semaphore-memory", "semaphore memory", needed.semaphores, judge.chip().semaphore_bytes,
       "use one semaphore for several copies, or fewer slots");
}

}  // namespace millrace::rules
