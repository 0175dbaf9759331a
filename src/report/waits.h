// SPDX-License-Identifier: Apache-2.0
// `--why-wait` for people.
#pragma once

#include <string>
#include <vector>

#include "check/wait_proof.h"

namespace millrace::report {

std::string waits_text(const std::vector<checkers::WaitSite>& waits);

}  // namespace millrace::report
