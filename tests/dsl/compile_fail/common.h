// SPDX-License-Identifier: Apache-2.0
// Each program here compiles, and is refused with MISUSE defined. Its second line says what the refusal must mention.
#pragma once

#include "millrace/language.h"

using namespace millrace;
