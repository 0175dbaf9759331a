// SPDX-License-Identifier: Apache-2.0
// refused: an index map returns block
#include "common.h"

#ifdef MISUSE
BlockSpec rows{{8}, [](Index) { return 3; }};
#else
BlockSpec rows{{8}, [](Index) { return block(3); }};
#endif
