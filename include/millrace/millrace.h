// SPDX-License-Identifier: Apache-2.0
// Millrace: write kernels for TPUs, run them in the simulator, check them.
#pragma once

#include "millrace/array.h"
#include "millrace/language.h"
#include "millrace/native.h"
#include "millrace/report.h"
#include "millrace/run.h"
