// SPDX-License-Identifier: Apache-2.0
// Halves of bytes, and the random words of the simulated device.
#include "machine/tile/element.h"
#include "machine/tile/tile.h"

namespace millrace::tile {

void split_nibbles(const void* in, void* out, std::size_t bytes) {
  const auto* from = static_cast<const std::uint8_t*>(in);
  auto* to = static_cast<std::int8_t*>(out);
  for (std::size_t i = 0; i < bytes; ++i) {
    to[2 * i] = I4::store(from[i] & 15);
    to[2 * i + 1] = I4::store(from[i] >> 4);
  }
}

void join_nibbles(const void* in, void* out, std::size_t bytes) {
  const auto* from = static_cast<const std::int8_t*>(in);
  auto* to = static_cast<std::uint8_t*>(out);
  for (std::size_t i = 0; i < bytes; ++i)
    to[i] = static_cast<std::uint8_t>(I4::as_unsigned(from[2 * i]) | (I4::as_unsigned(from[2 * i + 1]) << 4));
}

namespace {

// A bijection of 64 bits that flips about half of them for each bit that differs (a xor-shift-multiply mixer).
std::uint64_t mixed(std::uint64_t v) {
  v = (v ^ (v >> 32)) * 0xd6e8feb86659fd93u;
  v = (v ^ (v >> 32)) * 0xd6e8feb86659fd93u;
  return v ^ (v >> 32);
}

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;  // odd, so that the state takes on every value

}  // namespace

std::uint64_t seeded(std::uint64_t state, std::uint32_t seed) { return mixed((state + kStep) ^ seed); }

void random_words(std::uint64_t& state, std::uint32_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    state += kStep;
    out[i] = static_cast<std::uint32_t>(mixed(state) >> 32);
  }
}

}  // namespace millrace::tile
