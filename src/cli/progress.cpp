// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <ostream>

namespace millrace::cli {

std::function<void(std::uint64_t)> progress_on(std::ostream& err) {
  if (!::isatty(STDERR_FILENO)) return {};
  const auto began = std::chrono::steady_clock::now();
  return [&err, began](std::uint64_t steps) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (seconds < 1) return;
    err << fmt::format("\r{} million instructions, {:.0f} s", steps / 1'000'000, seconds) << std::flush;
  };
}

}  // namespace millrace::cli
