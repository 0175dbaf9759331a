// SPDX-License-Identifier: Apache-2.0
// Index maps on known numbers: where a window's blocks lie, before anything runs.
#pragma once

#include <cstdint>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::front {

class IndexMap {
 public:
  explicit IndexMap(const mosaic::Function& function) : function_(function), values_(function.values.size()) {}

  // The block at this point of the grid. False where the map reads data, or does what is not known here.
  bool evaluate(const std::vector<std::int64_t>& point, std::vector<std::int64_t>& block);

 private:
  bool step(const mosaic::Op& op);

  const mosaic::Function& function_;
  std::vector<std::int64_t> values_;  // i32, wrapped; by value id
};

}  // namespace millrace::front
