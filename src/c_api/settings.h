// SPDX-License-Identifier: Apache-2.0
// What millrace_configure sets, for the whole process.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

namespace millrace::c_api {

// A text that any thread may read and set.
class SharedText {
 public:
  std::string get() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  void set(std::string text) {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

struct Settings {
  std::atomic<bool> raise{true};             // a call whose kernel is faulty fails, though the kernel ended
  std::atomic<bool> draw{false};             // the first run of each call
  std::atomic<double> meeting_seconds{300};  // how long a device waits for the others
  SharedText reports;                        // the folder that reports of calls go to, or empty
};

inline Settings& settings() {
  static Settings instance;
  return instance;
}

}  // namespace millrace::c_api
