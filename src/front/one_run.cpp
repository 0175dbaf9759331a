// SPDX-License-Identifier: Apache-2.0
#include "front/one_run.h"

#include <fmt/format.h>

#include <algorithm>

namespace millrace::front {

namespace {

bool uses(const program::Program& program, program::Op op) {
  return std::ranges::any_of(program.code, [&](const program::Instruction& i) { return i.op == op; });
}

// An axis of one step has nothing to change places with.
bool has_parallel_steps(const program::Program& program) {
  for (std::size_t d = 0; d < program.parallel.size(); ++d)
    if (program.parallel[d] && program.grid[d] > 1) return true;
  return false;
}

bool races(const Finding& f) { return f.id.starts_with("race."); }

}  // namespace

bool draws_random_bits(const program::Program& program) { return uses(program, program::Op::kRandomBits); }

report::Schedules covered_by_one_run(const program::Program& program, std::int64_t cores,
                                     const std::vector<Finding>& findings) {
  report::Schedules s;
  const auto open = [&](const char* why) { s.open.emplace_back(why); };
  if (cores > 1) open("several cores may wait on one semaphore");
  if (uses(program, program::Op::kReadSemaphore)) open("the kernel reads the count of a semaphore");
  if (draws_random_bits(program)) open("the kernel draws random bits");
  if (has_parallel_steps(program)) open("the steps of a parallel axis may come in any order");
  if (std::ranges::any_of(findings, races)) open("accesses race, so that their order may change what follows");
  s.complete = s.open.empty();
  return s;
}

}  // namespace millrace::front
