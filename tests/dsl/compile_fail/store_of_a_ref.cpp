// SPDX-License-Identifier: Apache-2.0
// refused: deleted
#include "common.h"

void body(Ref x, Ref out) {
#ifdef MISUSE
  out.store(x);
#else
  out.store(x.load());
#endif
}
