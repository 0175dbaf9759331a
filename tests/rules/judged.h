// SPDX-License-Identifier: Apache-2.0
// A kernel of the language, judged for a chip.
#pragma once

#include <string>
#include <vector>

#include "dsl/trace.h"
#include "millrace/language.h"
#include "rules/rules.h"

namespace millrace::rules {

inline std::vector<Finding> judged(const Kernel& kernel, const std::vector<dsl::Operand>& inputs,
                                   std::string_view chip = "v5e", std::optional<std::int64_t> limit = {}) {
  const dsl::Traced traced = dsl::trace(kernel, inputs);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i < traced.inputs.size(); ++i)
    operands.push_back({"in" + std::to_string(i), traced.inputs[i].shape});
  for (std::size_t i = 0; i < traced.outputs.size(); ++i)
    operands.push_back({"out" + std::to_string(i), traced.outputs[i].shape});
  return check_rules({*traced.module, plan::chip_named(chip), operands, limit});
}

inline std::vector<std::string> ids(const std::vector<Finding>& findings) {
  std::vector<std::string> result;
  for (const Finding& f : findings) result.push_back(f.id);
  return result;
}

}  // namespace millrace::rules
