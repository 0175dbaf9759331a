// SPDX-License-Identifier: Apache-2.0
// Index maps on known numbers: where a window's blocks lie, before anything runs. Read once, asked for millions of
// points.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::front {

class IndexMap {
 public:
  explicit IndexMap(const mosaic::Function& function);

  // The block at this point of the grid. False where the map reads data, or does what is not known here.
  bool evaluate(const std::vector<std::int64_t>& point, std::vector<std::int64_t>& block);

 private:
  enum class Code : std::uint8_t {
    kUnknown,  // whatever loads, among others: the prefetch operands are memory
    kConstant,
    kKeep,
    kZeroExtend,
    kSelect,
    kAdd,
    kSubtract,
    kMultiply,
    kMinimum,
    kMaximum,
    kAnd,
    kOr,
    kXor,
    kDivide,
    kRemainder,
    kDivideUnsigned,
    kRemainderUnsigned,
    kCompare,
  };
  struct Step {
    Code code = Code::kUnknown;
    int bits = 0;             // of the result
    int operand_bits = 0;     // of the first operand
    std::int64_t number = 0;  // of a constant; a comparison's predicate
    mosaic::ValueId result = 0;
    std::array<mosaic::ValueId, 3> operands{};
  };

  static Code code_of(const mosaic::Op& op);
  bool take(const Step& step);

  std::vector<mosaic::ValueId> arguments_, results_;
  std::vector<Step> steps_;
  std::vector<std::int64_t> values_;  // by value id, extended from their width by their sign
};

}  // namespace millrace::front
