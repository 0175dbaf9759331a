// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>

namespace millrace::cli {

// How far a long run is, in one line that goes away with the object; only where stderr is a terminal.
class Progress {
 public:
  explicit Progress(std::ostream& err) : err_(err) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  std::function<void(std::uint64_t steps)> hook();  // empty where nobody looks on
  void clear();

 private:
  std::ostream& err_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool shown_ = false;
};

}  // namespace millrace::cli
