// SPDX-License-Identifier: Apache-2.0
// Integer operations. All wrap; none traps: division by zero and overlong shifts have stated values.
#include <algorithm>
#include <bit>

#include "machine/tile/tables.h"

namespace millrace::tile {
namespace {

template <class T>
MILLRACE_TILE_INLINE typename T::Wide wide(typename T::Stored s) {
  return static_cast<typename T::Wide>(T::as_unsigned(s));
}

struct Add {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) + wide<T>(b);
  }
};
struct Subtract {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) - wide<T>(b);
  }
};
struct Multiply {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) * wide<T>(b);
  }
};
struct And {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) & wide<T>(b);
  }
};
struct Or {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) | wide<T>(b);
  }
};
struct Xor {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(a) ^ wide<T>(b);
  }
};

// x / 0 is all ones and x % 0 is x; the smallest number divided by -1 is itself, with remainder 0.
struct DivideSigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    const auto x = T::as_signed(a), y = T::as_signed(b);
    if (y == 0) return static_cast<typename T::Wide>(-1);
    if (y == -1) return typename T::Wide{0} - static_cast<typename T::Wide>(x);
    return static_cast<typename T::Wide>(x / y);
  }
};
struct DivideUnsigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(b) == 0 ? static_cast<typename T::Wide>(-1) : wide<T>(a) / wide<T>(b);
  }
};
struct RemainderSigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    const auto x = T::as_signed(a), y = T::as_signed(b);
    if (y == 0) return static_cast<typename T::Wide>(x);
    if (y == -1) return 0;
    return static_cast<typename T::Wide>(x % y);
  }
};
struct RemainderUnsigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    return wide<T>(b) == 0 ? wide<T>(a) : wide<T>(a) % wide<T>(b);
  }
};

// The amount is unsigned; from the width on nothing of the number is left but, for shrsi, its sign.
struct ShiftLeft {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    const auto amount = wide<T>(b);
    const auto shifted = wide<T>(a) << (amount & (8 * sizeof(amount) - 1));
    return amount < T::kBits ? shifted : 0;
  }
};
struct ShiftRightUnsigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    const auto amount = wide<T>(b);
    const auto shifted = wide<T>(a) >> (amount & (8 * sizeof(amount) - 1));
    return amount < T::kBits ? shifted : 0;
  }
};
struct ShiftRightSigned {
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a, typename T::Stored b) {
    using Signed = std::make_signed_t<typename T::Wide>;
    const auto amount = std::min<typename T::Wide>(wide<T>(b), T::kBits - 1);
    return static_cast<typename T::Wide>(static_cast<Signed>(T::as_signed(a)) >> amount);
  }
};

struct MaximumSigned {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return T::as_signed(a) > T::as_signed(b) ? a : b;
  }
};
struct MinimumSigned {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return T::as_signed(a) < T::as_signed(b) ? a : b;
  }
};
struct MaximumUnsigned {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return T::as_unsigned(a) > T::as_unsigned(b) ? a : b;
  }
};
struct MinimumUnsigned {
  template <class T>
  MILLRACE_TILE_INLINE static auto of(typename T::Stored a, typename T::Stored b) {
    return T::as_unsigned(a) < T::as_unsigned(b) ? a : b;
  }
};

struct Absolute {  // the smallest number stays itself
  template <class T>
  MILLRACE_TILE_INLINE static typename T::Wide of(typename T::Stored a) {
    return T::as_signed(a) < 0 ? typename T::Wide{0} - wide<T>(a) : wide<T>(a);
  }
};
struct LeadingZeros {
  template <class T>
  MILLRACE_TILE_INLINE static int of(typename T::Stored a) {
    return std::countl_zero(wide<T>(a)) - (static_cast<int>(8 * sizeof(typename T::Wide)) - T::kBits);
  }
};
struct TrailingZeros {
  template <class T>
  MILLRACE_TILE_INLINE static int of(typename T::Stored a) {
    return std::min(std::countr_zero(wide<T>(a)), T::kBits);
  }
};
struct PopulationCount {
  template <class T>
  MILLRACE_TILE_INLINE static int of(typename T::Stored a) {
    return std::popcount(wide<T>(a));
  }
};

constexpr UnaryEntry kUnary[] = {
    {"math.absi", &find_integer_unary<Absolute>},
    {"math.ctlz", &find_integer_unary<LeadingZeros>},
    {"math.cttz", &find_integer_unary<TrailingZeros>},
    {"math.ctpop", &find_integer_unary<PopulationCount>},
};

constexpr BinaryEntry kBinary[] = {
    {"arith.addi", &find_integer_binary<Add>},
    {"arith.subi", &find_integer_binary<Subtract>},
    {"arith.muli", &find_integer_binary<Multiply>},
    {"arith.divsi", &find_integer_binary<DivideSigned>},
    {"arith.divui", &find_integer_binary<DivideUnsigned>},
    {"arith.remsi", &find_integer_binary<RemainderSigned>},
    {"arith.remui", &find_integer_binary<RemainderUnsigned>},
    {"arith.andi", &find_integer_binary<And>},
    {"arith.ori", &find_integer_binary<Or>},
    {"arith.xori", &find_integer_binary<Xor>},
    {"arith.shli", &find_integer_binary<ShiftLeft>},
    {"arith.shrsi", &find_integer_binary<ShiftRightSigned>},
    {"arith.shrui", &find_integer_binary<ShiftRightUnsigned>},
    {"arith.maxsi", &find_integer_binary<MaximumSigned>},
    {"arith.minsi", &find_integer_binary<MinimumSigned>},
    {"arith.maxui", &find_integer_binary<MaximumUnsigned>},
    {"arith.minui", &find_integer_binary<MinimumUnsigned>},
};

}  // namespace

std::span<const UnaryEntry> integer_unary_table() { return kUnary; }
std::span<const BinaryEntry> integer_binary_table() { return kBinary; }

}  // namespace millrace::tile
