// SPDX-License-Identifier: Apache-2.0
// Random programs: correct ones of several shapes, the same with an edit or two, and steps in any order.
#pragma once

#include <cstdint>

#include "chance.h"
#include "program.h"

namespace millrace::programs {

// The program of this seed: always the same.
Program random_program(std::uint64_t seed);

// Changes one step somewhere: drops it, doubles it, lets it change places with the next, or names another slot, row,
// semaphore or amount.
void edit(Program& program, Chance& chance);

// One shape each. The program's memories and semaphores are there already.
std::vector<Step> any_steps(const Program& program, Chance& chance);        // most are faulty
std::vector<Step> correct_steps(const Program& program, Chance& chance);    // all that is started is awaited in time
std::vector<Step> pipelined_steps(const Program& program, Chance& chance);  // two slots, loads one step ahead
std::vector<Step> two_sided_steps(const Program& program,
                                  Chance& chance);  // two cores or devices: copies and word back

// A view of so many rows. `moves`: by a loop, if there is one.
View any_view(const Program& program, Chance& chance, bool moves);
int any_memory(const Program& program, Chance& chance, bool written, bool by_core);
int any_semaphore(const Program& program, Chance& chance, bool bytes);

}  // namespace millrace::programs
