// SPDX-License-Identifier: Apache-2.0
// What is known of a kernel's index values before it runs: constants, and numbers that divide a value in every run.
// The TPU compiler proves alignment in the same way, from how a value was computed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::rules {

class Values {
 public:
  explicit Values(const mosaic::Function& function);

  std::optional<std::int64_t> constant(mosaic::ValueId value) const { return constants_[value]; }
  // The largest number known to divide the value; 1 where nothing is known, 0 where the value is 0.
  std::int64_t divisor(mosaic::ValueId value) const;
  bool divisible(mosaic::ValueId value, std::int64_t by) const { return divisor(value) % by == 0; }

 private:
  void visit(const mosaic::Region& region);
  void visit(const mosaic::Op& op);
  void visit_loop(const mosaic::Op& op);
  void visit_branches(const mosaic::Op& op);
  std::optional<std::int64_t> folded(const mosaic::Op& op) const;
  std::int64_t derived(const mosaic::Op& op) const;

  std::vector<std::optional<std::int64_t>> constants_;
  std::vector<std::int64_t> divisors_;
};

}  // namespace millrace::rules
