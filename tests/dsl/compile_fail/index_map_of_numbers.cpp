// SPDX-License-Identifier: Apache-2.0
// refused: an index map takes one Index
#include "common.h"

#ifdef MISUSE
BlockSpec rows{{8}, [](int i) { return block(i); }};
#else
BlockSpec rows{{8}, [](Index i) { return block(i); }};
#endif
