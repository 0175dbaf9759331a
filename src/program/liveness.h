// SPDX-License-Identifier: Apache-2.0
// Which values reach a side effect. A load whose result does not is no access (clause S2.4): the lowering of JAX puts
// such a dead load before every store.
#pragma once

#include <vector>

#include "mosaic/ir.h"

namespace millrace::program {

class Liveness {
 public:
  explicit Liveness(const mosaic::Function& function);
  bool needed(mosaic::ValueId v) const { return needed_[v]; }

 private:
  std::vector<bool> needed_;
};

// Whether the operation does more than compute its results.
bool has_effect(const mosaic::Op& op);

}  // namespace millrace::program
