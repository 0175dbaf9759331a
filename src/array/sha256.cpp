// SPDX-License-Identifier: Apache-2.0
#include "array/sha256.h"

#include <algorithm>
#include <bit>

namespace millrace {

namespace {

using Words = std::array<std::uint32_t, 64>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes: of the largest k with
// k^3 <= p * 2^96 the low 32 bits.
Words round_constants() {
  Words words{};
  std::size_t count = 0;
  for (std::uint32_t p = 2; count < words.size(); ++p) {
    bool prime = true;
    for (std::uint32_t d = 2; d * d <= p; ++d) prime &= p % d != 0;
    if (!prime) continue;
    std::uint64_t root = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 34; bit != 0; bit >>= 1) {
      const unsigned __int128 r = root + bit;
      if (r * r * r <= static_cast<unsigned __int128>(p) << 96) root += bit;
    }
    words[count++] = static_cast<std::uint32_t>(root);
  }
  return words;
}

std::uint32_t big_endian(const std::byte* at) {
  std::uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word = word << 8 | std::to_integer<std::uint32_t>(at[i]);
  return word;
}

}  // namespace

void Sha256::block(const std::byte* bytes) {
  static const Words kRounds = round_constants();
  Words w;
  for (std::size_t i = 0; i < 16; ++i) w[i] = big_endian(bytes + 4 * i);
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) +
           (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t t =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const std::uint32_t u = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t, d = c, c = b, b = a, a = t + u;
  }
  const std::array<std::uint32_t, 8> more = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += more[i];
}

void Sha256::add(std::span<const std::byte> bytes) {
  std::size_t held = length_ % rest_.size();
  length_ += bytes.size();
  while (!bytes.empty()) {
    if (held == 0 && bytes.size() >= rest_.size()) {
      block(bytes.data());
      bytes = bytes.subspan(rest_.size());
      continue;
    }
    const std::size_t n = std::min(rest_.size() - held, bytes.size());
    std::copy_n(bytes.begin(), n, rest_.begin() + static_cast<std::ptrdiff_t>(held));
    bytes = bytes.subspan(n);
    held = (held + n) % rest_.size();
    if (held == 0) block(rest_.data());
  }
}

void Sha256::add(std::string_view text) { add(std::as_bytes(std::span(text))); }

std::string Sha256::hex() {
  const std::uint64_t bits = length_ * 8;
  std::array<std::byte, 72> end{std::byte{0x80}};
  const std::size_t zeros = (64 + 56 - (length_ + 1) % 64) % 64;
  for (std::size_t i = 0; i < 8; ++i) end[1 + zeros + i] = static_cast<std::byte>(bits >> (56 - 8 * i));
  add(std::span(end).first(1 + zeros + 8));
  std::string text;
  for (std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
  return text;
}

std::string sha256_of(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return hash.hex();
}

std::string sha256_of(const Array& array) {
  Sha256 hash;
  hash.add({reinterpret_cast<const std::byte*>(array.data()), array.bytes()});
  return hash.hex();
}

}  // namespace millrace
