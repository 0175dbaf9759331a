// SPDX-License-Identifier: Apache-2.0
// What millrace_configure sets, for the whole process.
#pragma once

#include <atomic>

namespace millrace::c_api {

struct Settings {
  std::atomic<bool> raise{true};             // a call whose kernel is faulty fails, though the kernel ended
  std::atomic<bool> draw{false};             // the first run of each call
  std::atomic<double> meeting_seconds{300};  // how long a device waits for the others
};

inline Settings& settings() {
  static Settings instance;
  return instance;
}

}  // namespace millrace::c_api
