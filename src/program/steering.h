// SPDX-License-Identifier: Apache-2.0
// What decides which way a kernel goes: the memories whose values reach a branch, the bound of a loop, an address, the
// amount of a wait or a signal, or an index map. Where nothing does, the kernel does the same whatever its inputs hold.
#pragma once

#include <string>
#include <vector>

#include "program/program.h"

namespace millrace::program {

struct Steering {
  std::vector<std::string> memories;  // by their names in events: "in0", "scratch1"; each once, in order of their slots
  bool semaphores = false;            // a semaphore's count is read, wherever it goes
};

Steering steering_of(const Program& program);

}  // namespace millrace::program
