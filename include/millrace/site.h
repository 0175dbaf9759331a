// SPDX-License-Identifier: Apache-2.0
// The place in the caller's source that an operation is written at. Every function of the language takes one as its
// last, defaulted parameter; operators get it through the terms of value.h. Nobody passes it by hand.
#pragma once

#include <source_location>

namespace millrace {

using Site = std::source_location;

}  // namespace millrace
