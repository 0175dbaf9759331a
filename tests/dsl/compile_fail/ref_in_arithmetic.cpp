// SPDX-License-Identifier: Apache-2.0
// refused: operator\*|invalid operands
#include "common.h"

void body(Ref x, Ref out) {
#ifdef MISUSE
  out.store(2.0f * x);
#else
  out.store(2.0f * x.load());
#endif
}
