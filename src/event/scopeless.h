// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "event/event.h"

namespace millrace::event {

// An observer to which the scopes that a kernel names are nothing. A run need not tell it of them, and they are many:
// ten a step of a pipeline.
class Scopeless : public Observer {};

}  // namespace millrace::event
