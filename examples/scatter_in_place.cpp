// SPDX-License-Identifier: Apache-2.0
// Rows of an array overwritten where it lies: the output is the input's memory, and what no step names keeps its
// contents. The steps write different blocks, so they may run in any order.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

constexpr std::int64_t kTable = 6, kUpdates = 3;

Kernel scatter() {
  auto body = [](Ref, Ref update, Ref, Ref out) { out.store(2.0f * update.load()); };
  BlockSpec updates{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
  BlockSpec target{{kSqueezed, 8, 128}, [](Index i, Ref places) { return block(Index(places.load(i)), 0, 0); }};
  return grid_kernel("scatter", body,
                     {.grid = {kUpdates},
                      .prefetch = 1,
                      .semantics = {Dimension::kParallel},
                      .in = {updates, BlockSpec::in_place()},
                      .out = {target},
                      .aliases = {{2, 0}}});
}

}  // namespace

int main() {
  const std::vector<std::int32_t> places{4, 0, 3};
  Array updates = Array::linspace(1, 2, kUpdates * 8 * 128).reshaped({kUpdates, 8, 128});
  Array table = Array::linspace(-2, -1, kTable * 8 * 128).reshaped({kTable, 8, 128});
  Array out = run(scatter(), {Array::from(places, {kUpdates}), updates, table});
  Array right = table;
  for (std::int64_t i = 0; i < kUpdates; ++i) {
    auto at = static_cast<std::size_t>(places[static_cast<std::size_t>(i)]) * 8 * 128;
    for (std::size_t k = 0; k < 8 * 128; ++k) {
      right.as<float>()[at + k] = 2 * updates.as<float>()[static_cast<std::size_t>(i) * 8 * 128 + k];
    }
  }
  std::printf("scatter_in_place: %s\n", same_bits(out, right) ? "equals the oracle" : "FAIL");
  return same_bits(out, right) ? 0 : 1;
}
