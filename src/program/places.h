// SPDX-License-Identifier: Apache-2.0
// The places of a module as findings and messages name them.
#pragma once

#include <string_view>
#include <vector>

#include "event/event.h"
#include "mosaic/ir.h"

namespace millrace::program {

inline constexpr std::string_view kUnknownPlace = "an unknown place";

// By location of the module. `at` is what the module says. Where that is a scope name alone, as JAX writes for the
// operations of its emit_pipeline, `where` says it in words, with the lines of the operations around them.
std::vector<event::Place> places_of(const mosaic::Module& module);

}  // namespace millrace::program
