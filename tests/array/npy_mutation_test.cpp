// SPDX-License-Identifier: Apache-2.0
// Damaged files: each is either read or refused by a sentence, and nothing else happens.
#include <gtest/gtest.h>

#include <random>

#include "millrace/array.h"
#include "npy_bytes.h"

namespace millrace {
namespace {

using testing::npy_dict;
using testing::npy_file;

// A fixed seed and no distribution of the library, so that every machine sees the same files.
class Mutator {
 public:
  std::string damaged(std::string file) {
    for (std::size_t i = 1 + below(3); i > 0 && !file.empty(); --i) damage(file);
    return file;
  }

  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  void damage(std::string& file) {
    static constexpr std::string_view kTelling = "(){}[]',:-0129<>|=fiubOVTF\\\n ";
    const std::size_t at = below(file.size());
    switch (below(6)) {
      case 0: file.resize(at); break;
      case 1: file[at] = static_cast<char>(file[at] ^ (1 << below(8))); break;
      case 2: file[at] = kTelling[below(kTelling.size())]; break;
      case 3: file.insert(at, 1, kTelling[below(kTelling.size())]); break;
      case 4: file.erase(at, 1 + below(8)); break;
      case 5: file.insert(at, file.substr(below(file.size()), 1 + below(16))); break;
    }
  }

  std::mt19937 random_{4'369};
};

TEST(NpyMutation, EveryDamagedFileIsReadOrRefused) {
  const std::string files[] = {
      npy_file(npy_dict("<f4", "(20, 3)") + std::string(60, ' '), std::string(240, 'x')),
      npy_file(npy_dict("<u2", "(4,)"), std::string(8, 'x'), 2),
      npy_file(npy_dict("|b1", "()"), "x", 3),
      npy_file(npy_dict("<i4", "(0, 123456789)", "True"), ""),
      npy_file("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", "xxxx"),
  };
  Mutator mutator;
  int read = 0, refused = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::string file = mutator.damaged(files[mutator.below(std::size(files))]);
    const std::optional<DType> as = mutator.below(8) == 0 ? std::optional(bf16) : std::nullopt;
    try {
      const Array array = testing::parse(file, as);
      ASSERT_LT(array.bytes(), file.size());
      ASSERT_EQ(array.bytes(), static_cast<std::size_t>(element_count(array.shape())) * size_of(array.dtype()));
      ++read;
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::kUser);
      ASSERT_EQ(std::string(error.what()).rfind("x.npy ", 0), 0u) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace millrace
