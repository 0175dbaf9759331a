// SPDX-License-Identifier: Apache-2.0
// refused: returns nothing
#include "common.h"

#ifdef MISUSE
Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref) { return x.load(); });
#else
Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) { out.store(x.load()); });
#endif
