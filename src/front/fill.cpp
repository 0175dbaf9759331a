// SPDX-License-Identifier: Apache-2.0
#include "front/fill.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "array/splitmix.h"

namespace millrace::front {

namespace {

std::optional<std::uint64_t> seed_of(const std::string& how) {
  constexpr std::string_view kNormal = "normal:";
  if (!how.starts_with(kNormal)) return {};
  std::uint64_t seed = 0;
  const char* end = how.data() + how.size();
  const auto [stop, error] = std::from_chars(how.data() + kNormal.size(), end, seed);
  if (error != std::errc() || stop != end) return {};
  return seed;
}

// The sum of twelve uniform numbers: no logarithm, so no library's last bit.
double normal(std::uint64_t& state) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 12; ++i) sum += next_splitmix(state) >> 32;
  return static_cast<double>(sum) / 4294967296.0 - 6.0;
}

}  // namespace

void require_fill(const std::string& how) {
  if (how == "zeros" || how == "iota" || seed_of(how)) return;
  throw Error(ErrorCode::kUser, fmt::format("--fill `{}` is none of zeros, iota, normal:SEED", how));
}

Array filled(const std::string& how, std::uint64_t number, DType dtype, const Shape& shape) {
  require_fill(how);
  if (how == "zeros") return Array(dtype, shape);
  const DType wide = is_float(dtype) ? DType::f32 : DType::i32;
  Array array = Array::unset(wide, shape);
  std::uint64_t state = seed_of(how).value_or(0) * 0x9e3779b97f4a7c15 + number;
  next_splitmix(state);
  for (std::int64_t i = 0; i < array.size(); ++i) {
    const double value = how == "iota" ? static_cast<double>(i) : normal(state);
    if (wide == DType::f32)
      array.as<float>()[static_cast<std::size_t>(i)] = static_cast<float>(value);
    else
      array.as<std::int32_t>()[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(std::nearbyint(value));
  }
  return wide == dtype ? array : array.cast(dtype);
}

}  // namespace millrace::front
