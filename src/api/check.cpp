// SPDX-License-Identifier: Apache-2.0
#include "api/check.h"

#include <algorithm>

#include "check/verdict.h"

namespace millrace::api {

namespace {

Checked once(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
             const std::function<void(std::uint64_t)>& progress) {
  checkers::Checks checks;
  Simulation s = simulate(executable, inputs, options, checks.observers(), progress);
  return {std::move(s.outcome), checks.findings(std::move(s.stops))};
}

}  // namespace

Checked check(const Executable& executable, const std::vector<Array>& inputs, const RunOptions& options,
              const std::function<void(std::uint64_t)>& progress) {
  RunOptions watched = options;
  watched.detect_races = false;
  return once(executable, inputs, watched, progress);
}

}  // namespace millrace::api
