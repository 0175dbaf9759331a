// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace millrace::program {

// Lowers a verified module for operands of these types and shapes. Throws Error(kUser) where they do not fit the
// kernel's signature, Error(kUnsupported) for an operation that the program has no instruction for: its name, its
// place.
Program lower(const mosaic::Module& module, const std::vector<OperandSpec>& inputs,
              const std::vector<OperandSpec>& outputs, const Environment& environment = {});

// Every operation that is lowered, sorted, and whether this is one. In what forms is told where it is met.
std::vector<std::string> operations();
bool is_supported(std::string_view operation);

}  // namespace millrace::program
