// SPDX-License-Identifier: Apache-2.0
// refused: carry
#include "common.h"

void body() {
#ifdef MISUSE
  for_range(0, 4, carry(0), [](Index i, Index) { return carry(i == 2); });
#else
  for_range(0, 4, carry(0), [](Index i, Index n) { return carry(n + i); });
#endif
}
