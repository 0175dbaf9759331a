// SPDX-License-Identifier: Apache-2.0
// refused: exp
#include "common.h"

void body(Ref x, Ref out) {
#ifdef MISUSE
  out.store(exp(x));
#else
  out.store(exp(x.load()));
#endif
}
