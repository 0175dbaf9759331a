// SPDX-License-Identifier: Apache-2.0
// Where fuzzing begins: the small files among the other tests' data, and the inputs that once went wrong.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::fuzz {

struct Seed {
  std::string name;  // of the file it comes from
  std::string bytes;
};

std::vector<Seed> seeds_of(std::string_view target);   // in a fixed order
std::vector<Seed> corpus_of(std::string_view target);  // of these, those in tests/fuzz/corpus

}  // namespace millrace::fuzz
