// SPDX-License-Identifier: Apache-2.0
// Why a run did not end, and which promises of its kernel did not hold, as findings.
#pragma once

#include <vector>

#include "machine/machine.h"

namespace millrace::api {

// Of all cores, the lowest first.
std::vector<machine::Fault> faults_of(const machine::Outcome& outcome);

// A deadlock, a bound, an assertion: empty where the kernel ended. How often a place was passed before, `nth`, the
// machine does not know; checkers do.
std::vector<Finding> stops_of(const machine::Outcome& outcome, const program::Program& program);

std::vector<Finding> warnings_of(const machine::Outcome& outcome, const program::Program& program);

}  // namespace millrace::api
