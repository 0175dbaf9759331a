// SPDX-License-Identifier: Apache-2.0
// The vectors of FIPS 180-4, and messages of every length around the border of a block.
#include "array/sha256.h"

#include <gtest/gtest.h>

namespace millrace {
namespace {

TEST(Sha256, GivesTheStandardsVectors) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, HowAMessageIsCutDoesNotMatter) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += static_cast<char>(i);
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string message = text.substr(0, length);
    for (std::size_t cut : {std::size_t{1}, std::size_t{63}, std::size_t{64}, length / 2}) {
      Sha256 pieces;
      pieces.add(std::string_view(message).substr(0, std::min(cut, length)));
      pieces.add(std::string_view(message).substr(std::min(cut, length)));
      ASSERT_EQ(pieces.hex(), sha256_of(message)) << length << " cut at " << cut;
    }
  }
}

TEST(Sha256, OfAnArrayIsThatOfItsElements) {
  Array a(i8, {3});
  a.as<std::int8_t>()[0] = 'a', a.as<std::int8_t>()[1] = 'b', a.as<std::int8_t>()[2] = 'c';
  EXPECT_EQ(sha256_of(a), sha256_of("abc"));
  EXPECT_EQ(sha256_of(Array(f32, {0, 4})), sha256_of(""));
}

}  // namespace
}  // namespace millrace
