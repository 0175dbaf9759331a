// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <ostream>

namespace millrace::cli {

std::function<void(std::uint64_t)> Progress::hook() {
  if (!::isatty(STDERR_FILENO)) return {};
  return [this](std::uint64_t steps) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (seconds < 1) return;
    shown_ = true;
    err_ << fmt::format("\r{} million instructions, {:.0f} s", steps / 1'000'000, seconds) << std::flush;
  };
}

void Progress::clear() {
  if (shown_) err_ << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace millrace::cli
