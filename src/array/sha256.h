// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4). By hand, because it is the only thing that Millrace would link a crypto library for; the tests
// hold it against the standard's vectors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "millrace/array.h"

namespace millrace {

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes);
  void add(std::string_view text);
  std::string hex();  // of all that was added; nothing may be added after it

 private:
  void block(const std::byte* bytes);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> rest_{};
  std::uint64_t length_ = 0;  // bytes
};

std::string sha256_of(std::string_view text);
// Of the elements in row-major order, as the data of a .npy file has them.
std::string sha256_of(const Array& array);

}  // namespace millrace
