// SPDX-License-Identifier: Apache-2.0
// refused: rows|IndexTerm
#include "common.h"

void body(Ref x, Ref out) {
#ifdef MISUSE
  out.store(x.rows(1.5, 8).load());
#else
  out.store(x.rows(1, 8).load());
#endif
}
