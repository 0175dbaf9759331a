// SPDX-License-Identifier: Apache-2.0
// The copies of a pipeline written by hand: two slots, one semaphore for each. Without `load(i).wait()` the kernel
// would read a slot that a copy may still be writing; `check` says so and names the lines.
#include <cstdio>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

Kernel scale(bool waits) {
  return kernel("scale", {hbm(f32, {64, 256})}, {hbm(f32, {64, 256})}, [waits](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 256}), dma_semaphores(2), [&](Ref buf, Semaphores arrived) {
      auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buf[i % 2], arrived[i % 2]); };
      load(0).start();
      for_range(0, 8, [&](Index i) {
        when(i + 1 < 8, [&] { load(i + 1).start(); });
        if (waits) load(i).wait();  // a C++ if: decided while tracing
        buf[i % 2].store(2.0f * buf[i % 2].load());
        sync_copy(buf[i % 2], out.rows(8 * i, 8));
      });
    });
  });
}

}  // namespace

int main() {
  Array x = Array::linspace(-1, 1, 64 * 256).reshaped({64, 256});
  Array out = run(scale(true), {x});
  for (std::int64_t i = 0; i < x.size(); ++i) {
    if (out.flat(i) == 2 * x.flat(i)) continue;
    std::printf("scale_by_hand: FAIL at element %lld\n", static_cast<long long>(i));
    return 1;
  }
  bool right_is_clean = check(scale(true), {x}).verdict == Verdict::kClean;
  Report wrong = check(scale(false), {x});
  std::printf("scale_by_hand: right numbers; with the wait %s, without it %zu findings\n",
              right_is_clean ? "clean" : "FAULTY", wrong.findings.size());
  return right_is_clean && wrong.verdict == Verdict::kFaulty ? 0 : 1;
}
