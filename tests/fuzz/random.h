// SPDX-License-Identifier: Apache-2.0
// What one seed chooses: the same choices on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "array/splitmix.h"

namespace millrace::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() { return next_splitmix(state_); }
  // 0 ... n - 1; 0 where there is nothing to choose from.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(bits() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  const T& of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  template <class T>
  T of(std::initializer_list<T> all) {
    return all.begin()[below(all.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace millrace::fuzz
