// SPDX-License-Identifier: Apache-2.0
// refused: one parameter for each thing asked for
#include "common.h"

void body(Ref x, Ref buf) {
#ifdef MISUSE
  scoped(dma_semaphores(2), [&](Semaphore s) { make_async_copy(x, buf, s).start(); });
#else
  scoped(dma_semaphores(2), [&](Semaphores s) { make_async_copy(x, buf, s[0]).start(); });
#endif
}
