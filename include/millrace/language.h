// SPDX-License-Identifier: Apache-2.0
// The kernel language, all of it.
#pragma once

#include "millrace/block.h"
#include "millrace/control.h"
#include "millrace/copies.h"
#include "millrace/functions.h"
#include "millrace/kernel.h"
#include "millrace/pipeline.h"
#include "millrace/ref.h"
#include "millrace/scoped.h"
#include "millrace/value.h"
