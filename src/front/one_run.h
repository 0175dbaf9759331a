// SPDX-License-Identifier: Apache-2.0
// How many orders of events one run speaks of. Where (1) each semaphore has one consumer, (2) no value comes from
// the count of a semaphore or from random bits, (3) no steps may change places and (4) no two accesses race, all
// executions on these inputs have the same events, values and blocking points: one class.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.h"
#include "report/checked.h"

namespace millrace::front {

bool draws_random_bits(const program::Program& program);

report::Schedules covered_by_one_run(const program::Program& program, std::int64_t cores,
                                     const std::vector<Finding>& findings);

}  // namespace millrace::front
