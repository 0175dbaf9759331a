// SPDX-License-Identifier: Apache-2.0
// Matrix products. Into f32: every product of two f32, or of integers of up to 16 bits, is exact in double, and each
// element of the result is one sum in double that starts with the accumulator, takes the products in ascending k and is
// rounded once to f32. Into i32: sums of i32 that wrap. Operands are first packed into strips, so that the inner loop
// reads memory in order.
#include <algorithm>
#include <string>
#include <vector>

#include "machine/tile/element.h"
#include "machine/tile/tile.h"
#include "millrace/error.h"

namespace millrace::tile {
namespace {

constexpr std::int64_t kStripRows = 4;  // rows and columns whose sums stay in registers
constexpr std::int64_t kStripBytes = 64;

template <class Sum>
constexpr std::int64_t kStripColumns = kStripBytes / static_cast<std::int64_t>(sizeof(Sum));

bool is_float(Element e) {
  return with_any_float<bool>(e, [](auto) { return true; });
}
bool is_integer(Element e) {
  return e == Element::kI4 || e == Element::kI8 || e == Element::kI16 || e == Element::kI32;
}
// Whose products are exact in double.
bool is_exact(Element e) { return is_float(e) || (is_integer(e) && e != Element::kI32); }

struct F32RoundedToBF16 : F32 {
  MILLRACE_TILE_INLINE static float load(Stored s) { return bf16_to_float(float_to_bf16(s)); }
};

template <class T, class Sum>
MILLRACE_TILE_INLINE Sum loaded(typename T::Stored s) {
  if constexpr (requires { T::load(s); }) {
    return T::load(s);
  } else {
    return static_cast<Sum>(static_cast<std::int32_t>(T::as_signed(s)));
  }
}

// Strips of `width` neighbours along `across`, each with its `depth` elements along k; the last one is filled with 0.
template <class T, class Sum>
void pack(const void* from, std::int64_t across, std::int64_t across_stride, std::int64_t depth,
          std::int64_t depth_stride, std::int64_t width, Sum* to) {
  const auto* x = static_cast<const typename T::Stored*>(from);
  for (std::int64_t strip = 0; strip < across; strip += width, to += width * depth) {
    const std::int64_t filled = std::min(width, across - strip);
    for (std::int64_t k = 0; k < depth; ++k) {
      for (std::int64_t i = 0; i < filled; ++i) {
        to[k * width + i] = loaded<T, Sum>(x[(strip + i) * across_stride + k * depth_stride]);
      }
      for (std::int64_t i = filled; i < width; ++i) to[k * width + i] = Sum{};
    }
  }
}

template <class Sum>
void pack_any(Element element, bool round_to_bf16, const void* from, std::int64_t offset, std::int64_t across,
              std::int64_t across_stride, std::int64_t depth, std::int64_t depth_stride, std::int64_t width, Sum* to) {
  const auto* base = static_cast<const char*>(from) + offset * static_cast<std::int64_t>(tile::size_in_bytes(element));
  auto with = [&]<class T>(T) { pack<T, Sum>(base, across, across_stride, depth, depth_stride, width, to); };
  if constexpr (std::is_same_v<Sum, double>) {
    if (element == Element::kF32 && round_to_bf16) return with(F32RoundedToBF16{});
    if (is_float(element)) return with_any_float<void>(element, with);
  }
  with_integer<void>(element, with);
}

// sums[i][j] += lhs[k][i] * rhs[k][j], k ascending.
template <class Sum>
MILLRACE_TILE_CLONES void multiply_strips(const Sum* lhs, const Sum* rhs, std::int64_t depth, Sum* sums) {
  constexpr std::int64_t kWidth = kStripColumns<Sum>;
  typedef Sum Vector __attribute__((vector_size(32)));
  constexpr std::int64_t kLanes = 32 / static_cast<std::int64_t>(sizeof(Sum));
  typedef Sum Unaligned __attribute__((vector_size(32), aligned(alignof(Sum)), may_alias));
  Vector sum[kStripRows][2];
  for (std::int64_t i = 0; i < kStripRows; ++i) {
    for (int h = 0; h < 2; ++h) sum[i][h] = *reinterpret_cast<const Unaligned*>(sums + i * kWidth + h * kLanes);
  }
  for (std::int64_t k = 0; k < depth; ++k, lhs += kStripRows, rhs += kWidth) {
    const Vector low = *reinterpret_cast<const Unaligned*>(rhs);
    const Vector high = *reinterpret_cast<const Unaligned*>(rhs + kLanes);
    for (std::int64_t i = 0; i < kStripRows; ++i) {
      sum[i][0] += low * lhs[i];
      sum[i][1] += high * lhs[i];
    }
  }
  for (std::int64_t i = 0; i < kStripRows; ++i) {
    for (int h = 0; h < 2; ++h) *reinterpret_cast<Unaligned*>(sums + i * kWidth + h * kLanes) = sum[i][h];
  }
}

float rounded(double sum) { return canonical(static_cast<float>(sum)); }
std::int32_t rounded(std::uint32_t sum) { return static_cast<std::int32_t>(sum); }

// One block of the result; the parts of a strip past the edge are computed and dropped.
template <class Sum, class Out>
void multiply_block(const Matmul& m, std::int64_t row, std::int64_t column, const Sum* lhs, const Sum* rhs,
                    const Out* accumulator, Out* out) {
  constexpr std::int64_t kWidth = kStripColumns<Sum>;
  const std::int64_t rows = std::min(kStripRows, m.rows - row), columns = std::min(kWidth, m.columns - column);
  Sum sums[kStripRows * kWidth] = {};
  for (std::int64_t i = 0; i < rows; ++i) {
    const Out* from = accumulator + (row + i) * m.columns + column;
    for (std::int64_t j = 0; j < columns; ++j) sums[i * kWidth + j] = static_cast<Sum>(from[j]);
  }
  multiply_strips(lhs + row * m.depth, rhs + column * m.depth, m.depth, sums);
  for (std::int64_t i = 0; i < rows; ++i) {
    Out* to = out + (row + i) * m.columns + column;
    for (std::int64_t j = 0; j < columns; ++j) to[j] = rounded(sums[i * kWidth + j]);
  }
}

std::size_t strip_elements(std::int64_t across, std::int64_t width, std::int64_t depth) {
  return static_cast<std::size_t>((across + width - 1) / width * width * depth);
}

template <class Sum, class Out>
void multiply(const Matmul& m, const void* lhs, const void* rhs, const Out* accumulator, Out* out) {
  constexpr std::int64_t kWidth = kStripColumns<Sum>;
  std::vector<Sum> left(strip_elements(m.rows, kStripRows, m.depth)), right(strip_elements(m.columns, kWidth, m.depth));
  for (std::int64_t b = 0; b < m.batch; ++b) {
    pack_any(m.lhs, m.round_f32_operands_to_bf16, lhs, b * m.lhs_stride[0], m.rows, m.lhs_stride[1], m.depth,
             m.lhs_stride[2], kStripRows, left.data());
    pack_any(m.rhs, m.round_f32_operands_to_bf16, rhs, b * m.rhs_stride[0], m.columns, m.rhs_stride[2], m.depth,
             m.rhs_stride[1], kWidth, right.data());
    const std::int64_t first = b * m.rows * m.columns;
    for (std::int64_t column = 0; column < m.columns; column += kWidth) {
      for (std::int64_t row = 0; row < m.rows; row += kStripRows) {
        multiply_block(m, row, column, left.data(), right.data(), accumulator + first, out + first);
      }
    }
  }
}

}  // namespace

bool matmul_supported(const Matmul& m) {
  return (is_exact(m.lhs) && is_exact(m.rhs) && m.out == Element::kF32) ||
         (is_integer(m.lhs) && is_integer(m.rhs) && m.out == Element::kI32);
}

void matmul(const Matmul& m, const void* lhs, const void* rhs, const void* accumulator, void* out) {
  if (!matmul_supported(m)) throw Error(ErrorCode::kInternal, "matmul: element types that matmul_supported refuses");
  if (m.out == Element::kF32) {
    multiply<double>(m, lhs, rhs, static_cast<const float*>(accumulator), static_cast<float*>(out));
  } else {
    multiply<std::uint32_t>(m, lhs, rhs, static_cast<const std::int32_t*>(accumulator),
                            static_cast<std::int32_t*>(out));
  }
}

}  // namespace millrace::tile
