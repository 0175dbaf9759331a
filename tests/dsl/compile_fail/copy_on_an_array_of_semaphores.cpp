// SPDX-License-Identifier: Apache-2.0
// refused: deleted
#include "common.h"

void body(Ref x, Ref buf, Semaphores arrived) {
#ifdef MISUSE
  make_async_copy(x, buf, arrived).start();
#else
  make_async_copy(x, buf, arrived[0]).start();
#endif
}
