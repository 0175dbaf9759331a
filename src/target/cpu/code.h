// SPDX-License-Identifier: Apache-2.0
// Machine code for a plan: emitted, lowered by MLIR's passes, compiled by LLVM for this CPU, or found in the cache.
#pragma once

#include <memory>
#include <string>

#include "target/cpu/plan.h"
#include "target/cpu/worker.h"

namespace millrace::cpu {

class Code {
 public:
  virtual ~Code() = default;
  Compiled entry = nullptr;
};

// Throws Error(kInternal) where the compiler fails. `from_cache`: nothing had to be compiled.
std::shared_ptr<const Code> compile(const Plan& plan, bool& from_cache);

// The module before and after the passes, for whoever wants to look.
std::string module_text(const Plan& plan, bool lowered);

}  // namespace millrace::cpu
