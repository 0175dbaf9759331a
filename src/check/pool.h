// SPDX-License-Identifier: Apache-2.0
// Things that come and go all the time: made once, then used again. They stay where they are.
#pragma once

#include <deque>
#include <vector>

namespace millrace::checkers {

template <class T>
class Pool {
 public:
  // To be filled in: it may still hold what it held when it was given back.
  T& take() {
    if (spare_.empty()) return made_.emplace_back();
    T& taken = *spare_.back();
    spare_.pop_back();
    return taken;
  }
  void give_back(T& taken) { spare_.push_back(&taken); }

 private:
  std::deque<T> made_;
  std::vector<T*> spare_;
};

}  // namespace millrace::checkers
