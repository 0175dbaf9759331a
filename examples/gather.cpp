// SPDX-License-Identifier: Apache-2.0
// Rows picked by number, as in a table of embeddings. The numbers are prefetched into SMEM, and the index map of the
// table reads them: which block a step loads is known only in the kernel. The first dimension is squeezed, so the body
// sees (8, 128).
#include <cstdint>
#include <cstdio>
#include <vector>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

constexpr std::int64_t kTable = 6, kPicks = 9;

Kernel gather() {
  auto body = [](Ref picks, Ref table, Ref out) {
    Value scale = cast(picks.load(program_id(0)), f32);
    out.store(scale * table.load());
  };
  BlockSpec picked{{kSqueezed, 8, 128}, [](Index i, Ref picks) { return block(Index(picks.load(i)), 0, 0); }};
  BlockSpec rows{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
  return grid_kernel("gather", body, {.grid = {kPicks}, .prefetch = 1, .in = {picked}, .out = {rows}});
}

}  // namespace

int main() {
  const std::vector<std::int32_t> picks{5, 0, 0, 3, 1, 4, 4, 2, 5};
  Array table = Array::linspace(-1, 1, kTable * 8 * 128).reshaped({kTable, 8, 128});
  Array out = run(gather(), {Array::from(picks, {kPicks}), table});
  for (std::int64_t i = 0; i < kPicks; ++i) {
    auto pick = static_cast<std::int64_t>(picks[static_cast<std::size_t>(i)]);
    for (std::int64_t k = 0; k < 8 * 128; ++k) {
      auto right = static_cast<float>(pick) * static_cast<float>(table.flat(pick * 8 * 128 + k));
      if (out.flat(i * 8 * 128 + k) == right) continue;
      std::printf("gather: FAIL at pick %lld\n", static_cast<long long>(i));
      return 1;
    }
  }
  std::printf("gather: %lld picks equal the oracle\n", static_cast<long long>(kPicks));
  return 0;
}
