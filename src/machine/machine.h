// SPDX-License-Identifier: Apache-2.0
// Executes a program on the devices and cores that it was lowered for: their memories, their DMAs.
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
  std::span<const Array> inputs;  // as the program was lowered for; those of device 0, then those of device 1, ...
  std::span<const program::OperandSpec> outputs;
  Choice* choice = nullptr;
  std::span<event::Observer* const> observers;
  std::uint64_t max_steps = 0;                             // instructions; more end the run with Error(kUser)
  std::function<void(std::uint64_t steps)> progress = {};  // called every kProgressSteps instructions
  std::int64_t dma_granule = event::kDmaGranule;           // bytes in which DMAs raise DMA semaphores
  bool whole_signals = false;                              // a DMA signals once, when it is complete (S4.8)
  bool definedness = false;                                // keep what is defined, and tell of what is not (S7)
};

inline constexpr std::uint64_t kProgressSteps = std::uint64_t{1} << 24;

// Why a kernel did not end: it left its memory, or an assertion of its own failed.
struct Fault {
  std::string id;  // "bounds.dma", "bounds.access", "bounds.block", "assertion.failed"
  std::string message;
  event::PlaceId at = 0;
  // Of bounds.*, empty elsewhere: the memory as an operand or scratch is called; what of it was asked for.
  std::string memory = {}, access = {};  // "DMA read", "core write"
  std::vector<Range> box = {};
  Shape extent = {};
  std::vector<std::int64_t> block = {}, blocks = {}, grid_step = {};
  int device = 0, core = 0;  // whose it is
};

struct Outcome {
  std::vector<Array> outputs;             // by device; as far as they were written; the rest is poison
  std::vector<event::Blocked> waiters;    // not empty: the kernel deadlocked. By core
  std::vector<std::string> waiter_names;  // their semaphores, "scopedsem0[1]"
  std::vector<std::uint64_t> waiter_nth;  // which execution of the place it is that waits, from 0
  std::optional<Fault> fault;             // of the lowest core that has one
  std::vector<Fault> other_faults;        // of the other cores
  std::vector<Fault> warnings;            // promises of the kernel that do not hold, once a place; the run goes on
  Work work;

  bool ended() const { return waiters.empty() && !fault; }
};

Outcome execute(const Linked& linked, const Request& request);

}  // namespace millrace::machine
