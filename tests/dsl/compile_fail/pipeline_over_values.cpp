// SPDX-License-Identifier: Apache-2.0
// refused: no match
#include "common.h"

void twice(Ref x, Ref out) { out.store(2 * x.load()); }
void body(Ref x, Ref out) {
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  Pipeline pipeline = emit_pipeline(twice, {.grid = {4}, .in = {rows}, .out = {rows}});
#ifdef MISUSE
  pipeline(x.load(), out);
#else
  pipeline(x, out);
#endif
}
