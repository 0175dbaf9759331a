// SPDX-License-Identifier: Apache-2.0
// Executes a program: one core, its memories, its DMAs.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "machine/choice.h"
#include "machine/linked.h"

namespace millrace::machine {

struct Request {
  std::span<const Array> inputs;  // must fit the operands the program was lowered for
  std::span<const program::OperandSpec> outputs;
  Choice* choice = nullptr;
  std::span<event::Observer* const> observers;
  std::uint64_t max_steps = 0;                             // instructions; more end the run with Error(kUser)
  std::function<void(std::uint64_t steps)> progress = {};  // called every kProgressSteps instructions
  bool definedness = false;                                // keep what is defined, and tell of what is not (S7)
  std::vector<bool> unwritten = {};                        // by input: nobody has written it; empty: somebody has
};

inline constexpr std::uint64_t kProgressSteps = std::uint64_t{1} << 24;

// Why a kernel did not end: it left its memory.
struct Fault {
  std::string id;  // "bounds.dma", "bounds.access", "bounds.block"
  std::string message;
  event::PlaceId at = 0;
};

struct Outcome {
  std::vector<Array> outputs;             // as far as they were written; the rest is poison
  std::vector<event::Blocked> waiters;    // not empty: the kernel deadlocked
  std::vector<std::string> waiter_names;  // their semaphores, "scopedsem0[1]"
  std::vector<std::uint64_t> waiter_nth;  // which execution of the place it is that waits, from 0
  std::optional<Fault> fault;
  Work work;

  bool ended() const { return waiters.empty() && !fault; }
};

Outcome execute(const Linked& linked, const Request& request);

}  // namespace millrace::machine
