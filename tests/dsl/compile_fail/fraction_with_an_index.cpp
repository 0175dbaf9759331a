// SPDX-License-Identifier: Apache-2.0
// refused: operator\+|invalid operands
#include "common.h"

Value body() {
#ifdef MISUSE
  return program_id(0) + 0.5f;
#else
  return cast(program_id(0), f32) + 0.5f;
#endif
}
