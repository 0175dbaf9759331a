// SPDX-License-Identifier: Apache-2.0
// refused: what is carried is a Value
#include "common.h"

void body(Ref x) {
#ifdef MISUSE
  for_range(0, 4, carry(x), [](Index, Ref r) { return carry(r); });
#else
  for_range(0, 4, carry(x.load()), [](Index, Value v) { return carry(v + v); });
#endif
}
