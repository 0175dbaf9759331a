// SPDX-License-Identifier: Apache-2.0
// A StableHLO program whose only operation calls a Mosaic kernel, as JAX would hand it to the TPU compiler.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "millrace/array.h"
#include "mosaic/ir.h"

namespace millrace::target {

struct Tensor {
  mosaic::Element element = mosaic::Element::kF32;
  Shape shape;
};

struct KernelCall {
  std::string kernel_name;  // any text; the program's own names are made of its letters, digits and _
  std::string body;         // the module: bytecode, or text with stable names
  std::vector<Tensor> operands, results;
  struct Alias {
    std::size_t operand = 0, result = 0;
  };
  std::vector<Alias> aliases = {};
  std::string settings = {};  // a JSON object: further fields of the call's backend_config; or empty
};

// Error(kUnsupported) for an element that no StableHLO tensor of Millrace has, Error(kUser) where settings are no JSON
// object.
std::string stablehlo_of(const KernelCall& call);

// The name under which the compiler knows the call, and by which its dumps are told apart.
std::string call_name(std::string_view kernel_name);

std::string encode_base64(std::string_view bytes);

// "f32", "bf16", "i32", ... as StableHLO has it; Error(kUnsupported) for semaphores.
std::string_view tensor_element(mosaic::Element element);

}  // namespace millrace::target
