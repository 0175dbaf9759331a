// SPDX-License-Identifier: Apache-2.0
// The state of a run that its cores share: operands, DMAs, the choice source, what comes out. Internal to the machine.
#pragma once

#include <memory>
#include <vector>

#include "machine/core.h"
#include "machine/machine.h"
#include "machine/transfers.h"

namespace millrace::machine {

class Run {
 public:
  Run(const Linked& linked, const Request& request);
  Outcome go();

  // What the cores ask of it.
  void announce(Memory& memory, event::PlaceId at);
  void linger(std::unique_ptr<Memory> memory) { lingering_.push_back(std::move(memory)); }
  void interleave();                             // lets the choice source run DMAs before a core's next step
  bool move_dma(const SemaphoreRef& semaphore);  // for a core that waits; false: there is none to move

  const Linked& linked;
  const program::Program& program;
  const Request& request;
  Tell tell;
  const std::unique_ptr<shadow::Definedness> definedness;  // where it is asked for
  Transfers transfers;
  Outcome outcome;

 private:
  // setup.cpp
  void bind_operands();
  void bind_aliases();
  bool unwritten(std::uint32_t input) const { return !request.unwritten.empty() && request.unwritten.at(input); }

  void blocked(const Wait& wait);
  void end();

  std::vector<std::unique_ptr<Memory>> operands_;
  std::vector<std::unique_ptr<Memory>> lingering_;  // freed by the kernel while a DMA still uses it
  std::vector<Memory*> shared_;                     // by memory slot: the operands
  std::vector<Array> converted_;                    // bool inputs as i32
  std::vector<Option> options_;
  std::unique_ptr<Core> core_;
  event::MemoryId next_memory_ = 0;
};

}  // namespace millrace::machine
