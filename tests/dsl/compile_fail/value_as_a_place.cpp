// SPDX-License-Identifier: Apache-2.0
// refused: rows|IndexTerm
#include "common.h"

void body(Ref x, Ref places, Ref out) {
  Value place = places.load(0);
#ifdef MISUSE
  out.store(x.rows(place, 8).load());
#else
  out.store(x.rows(Index(place), 8).load());
#endif
}
