// SPDX-License-Identifier: Apache-2.0
// refused: then a Ref for each prefetched operand
#include "common.h"

#ifdef MISUSE
BlockSpec rows{{8}, [](Ref order, Index i) { return block(Index(order.load(i))); }};
#else
BlockSpec rows{{8}, [](Index i, Ref order) { return block(Index(order.load(i))); }};
#endif
