// SPDX-License-Identifier: Apache-2.0
// What is fuzzed. A target takes any bytes and comes back; it throws where Millrace gave no proper answer: anything but
// a result or an Error that blames the input.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "random.h"

namespace millrace::fuzz {

struct Target {
  std::string name;  // the folder of its corpus
  void (*run)(std::string_view bytes);
  std::string (*mutate)(std::string_view bytes, std::string_view other, Random& random);
};

// module: bytecode or text, read, written and read again, inspected, lowered with guessed operands, run and checked.
// stablehlo: a text with custom calls. call: the backend_config of such a call. npy: an array. case: a case.json.
const std::vector<Target>& targets();
const Target& target_named(std::string_view name);

}  // namespace millrace::fuzz
