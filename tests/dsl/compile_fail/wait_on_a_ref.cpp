// SPDX-License-Identifier: Apache-2.0
// refused: wait
#include "common.h"

void body(Ref x, Semaphore s) {
#ifdef MISUSE
  wait(x);
#else
  wait(s);
#endif
  static_cast<void>(x);
  static_cast<void>(s);
}
