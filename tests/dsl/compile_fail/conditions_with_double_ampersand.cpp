// SPDX-License-Identifier: Apache-2.0
// refused: deleted
#include "common.h"

void body(Ref out) {
  Index i = program_id(0);
#ifdef MISUSE
  when(i > 3 && i < 5, [&] { out.store(0); });
#else
  when(i > 3 & i < 5, [&] { out.store(0); });
#endif
}
