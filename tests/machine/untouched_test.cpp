// SPDX-License-Identifier: Apache-2.0
// Poison that is laid down late is as if it had been laid down first.
#include "machine/untouched.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace millrace::test {
namespace {

using Bytes = std::vector<std::byte>;

// `writes` random runs of one value each, into memory of so many bytes that is poison from the start.
void expect_as_if_first(std::size_t bytes, mosaic::Element element, std::size_t element_bytes, int writes,
                        std::mt19937& random) {
  Bytes first(bytes, std::byte{0x11}), late = first;
  machine::fill_with_poison(first.data(), bytes, element);
  machine::Untouched untouched(late.data(), bytes, element);
  for (int w = 0; w < writes; ++w) {
    std::size_t begin = random() % (bytes / element_bytes + 1) * element_bytes;
    std::size_t end = random() % (bytes / element_bytes + 1) * element_bytes;
    if (begin > end) std::swap(begin, end);
    untouched.write(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end));
    for (Bytes* b : {&first, &late}) std::fill(b->data() + begin, b->data() + end, static_cast<std::byte>(0x40 + w));
  }
  untouched.fill();
  EXPECT_EQ(first, late) << bytes << " bytes, " << writes << " writes";
}

TEST(Untouched, IsPoisonWhereNobodyHasWritten) {
  std::mt19937 random(1);
  for (std::size_t bytes : {0, 4, 124, 128, 132, 4096, 5000})
    for (int writes : {0, 1, 2, 9})
      for (int times = 0; times < 20; ++times) {
        expect_as_if_first(bytes, mosaic::Element::kF32, 4, writes, random);
        expect_as_if_first(bytes, mosaic::Element::kBF16, 2, writes, random);
        expect_as_if_first(bytes, mosaic::Element::kI8, 1, writes, random);
      }
}

TEST(Untouched, LeavesAloneWhatIsWrittenWhole) {
  Bytes data(256, std::byte{0x11});
  machine::Untouched untouched(data.data(), data.size(), mosaic::Element::kF32);
  untouched.write(0, 128);
  untouched.write(128, 256);
  EXPECT_EQ(data, Bytes(256, std::byte{0x11}));
}

}  // namespace
}  // namespace millrace::test
