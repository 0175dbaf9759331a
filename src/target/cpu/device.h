// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace millrace::cpu {

// The CPU as it names itself: the brand string of cpuid, or what the system says. "unknown CPU" where nobody says.
std::string device_name();

}  // namespace millrace::cpu
