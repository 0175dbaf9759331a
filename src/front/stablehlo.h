// SPDX-License-Identifier: Apache-2.0
// Finds the kernels in a StableHLO text, as jax.export prints it: calls of tpu_custom_call, whose backend_config holds
// a Mosaic module. A scanner of its own: nothing here knows StableHLO beyond the form of such a call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.h"

namespace millrace::front {

using Tensor = program::OperandSpec;
using Aliased = program::Environment::Alias;

struct CustomCall {
  std::string kernel_name;       // or empty
  int line = 0;                  // where the call stands in the text
  std::string body;              // the module, text or bytecode
  std::string settings;          // backend_config without the body, a JSON object
  std::vector<Tensor> operands;  // dynamic grid bounds first, then scalar prefetch, then inputs
  std::vector<Tensor> results;
  std::vector<Aliased> aliases;  // inputs count all operands
};

// The VMEM that the call asks for instead of the chip's limit, in bytes.
std::optional<std::int64_t> vmem_limit_of(const CustomCall& call);

// Whether the text has a custom call in it at all; a Mosaic module has none.
bool is_stablehlo(std::string_view text);

// The call that `kernel` names: its number from 0, in the order of the text, or its kernel_name; empty where there is
// only one. Error(kUser) where there is none such or the text is damaged, Error(kUnsupported) for a tensor that is not
// supported. `name` stands in messages.
CustomCall find_custom_call(std::string_view text, const std::string& kernel, const std::string& name);

}  // namespace millrace::front
