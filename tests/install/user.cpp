// SPDX-License-Identifier: Apache-2.0
// A stranger's program: a kernel of its own, written and run with the installed headers alone.
#include <algorithm>
#include <cstdio>

#include "millrace/millrace.h"

using namespace millrace;

namespace {

void clip(Ref x, Ref out) { out.store(min(max(x.load(), -0.5f), 0.5f) + 1.0f); }

Kernel clip_kernel() {
  const BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("clip", clip, {.grid = {2}, .in = {rows}, .out = {rows}});
}

bool computes() {
  const Array x = Array::linspace(-1, 1, 16 * 128).reshaped({16, 128});
  const Array y = run(clip_kernel(), {x});
  for (std::int64_t i = 0; i < x.size(); ++i) {
    const float clipped = std::min(std::max(static_cast<float>(x.flat(i)), -0.5f), 0.5f) + 1.0f;
    if (static_cast<float>(y.flat(i)) != clipped) return false;
  }
  return true;
}

// An exception crosses the library's border with its type and its code.
bool refuses() {
  try {
    Array::linspace(0, 1, 3).reshaped({2, 2});
  } catch (const Error& error) {
    return error.code() == ErrorCode::kUser;
  }
  return false;
}

}  // namespace

int main() {
  if (!computes()) return std::puts("the kernel's numbers are wrong"), 1;
  if (!refuses()) return std::puts("a wrong shape is not refused with an Error"), 1;
  return 0;
}
