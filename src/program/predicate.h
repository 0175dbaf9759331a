// SPDX-License-Identifier: Apache-2.0
// The predicates of arith.cmpi, by MLIR's numbers.
#pragma once

#include <cstdint>
#include <type_traits>

namespace millrace::program {

// Narrower integers may come sign-extended: that keeps both the signed and the unsigned order. Of i1, true is -1.
template <class Signed>
constexpr bool holds(std::int64_t predicate, Signed a, Signed b) {
  using Unsigned = std::make_unsigned_t<Signed>;
  const auto ua = static_cast<Unsigned>(a), ub = static_cast<Unsigned>(b);
  switch (predicate) {
    case 0: return a == b;
    case 1: return a != b;
    case 2: return a < b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a >= b;
    case 6: return ua < ub;
    case 7: return ua <= ub;
    case 8: return ua > ub;
    default: return ua >= ub;
  }
}

}  // namespace millrace::program
