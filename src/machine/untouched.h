// SPDX-License-Identifier: Apache-2.0
// Poison that is laid down late. A large output would be written twice otherwise, once with poison and once with what
// the kernel writes: most kernels write all of it, and never read what they have not written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mosaic/ir.h"

namespace millrace::machine {

void fill_with_poison(std::byte* data, std::size_t bytes, mosaic::Element element);

class Untouched {
 public:
  Untouched(std::byte* data, std::size_t bytes, mosaic::Element element)
      : data_(data), bytes_(static_cast<std::int64_t>(bytes)), element_(element), lines_((bytes + kLine - 1) / kLine) {}

  // Before the bytes from `begin` to `end` are written, all of them.
  void write(std::int64_t begin, std::int64_t end);
  // Whatever has not been written is poison now.
  void fill();

 private:
  static constexpr std::int64_t kLine = 128;  // bytes; a multiple of every element's
  void begin_line(std::int64_t line);         // which is about to be written in part

  std::byte* data_;
  std::int64_t bytes_;
  mosaic::Element element_;
  std::vector<std::uint8_t> lines_;  // 1: written, or poison
};

}  // namespace millrace::machine
