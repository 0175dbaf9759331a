// SPDX-License-Identifier: Apache-2.0
#include "targets.h"

#include <stdexcept>

#include "mutate.h"
#include "try_module.h"

namespace millrace::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all{
      {"bytecode", try_module, mutate_module},
      {"text", try_module, mutate_module},
      {"stablehlo", try_stablehlo, mutate_call},
      {"call", try_call, mutate_call},
      {"npy", try_npy, mutate_bytes},
      {"case", try_case, mutate_text},
  };
  return all;
}

const Target& target_named(std::string_view name) {
  for (const Target& target : targets())
    if (target.name == name) return target;
  throw std::invalid_argument("no fuzz target " + std::string(name));
}

}  // namespace millrace::fuzz
