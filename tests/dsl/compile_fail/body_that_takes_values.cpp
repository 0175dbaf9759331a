// SPDX-License-Identifier: Apache-2.0
// refused: a kernel body takes Ref
#include "common.h"

#ifdef MISUSE
Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Value x, Ref out) { out.store(x); });
#else
Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) { out.store(x.load()); });
#endif
