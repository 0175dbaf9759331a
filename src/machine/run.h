// SPDX-License-Identifier: Apache-2.0
// The state of a run that its cores share: operands, DMAs, the choice source, what comes out; and which core runs.
// Internal to the machine.
#pragma once

#include <memory>
#include <vector>

#include "event/scopeless.h"
#include "event/work.h"
#include "machine/core.h"
#include "machine/machine.h"
#include "machine/transfers.h"

namespace millrace::machine {

class Run {
 public:
  Run(const Linked& linked, const Request& request);
  Outcome go();

  // What the cores ask of it.
  std::unique_ptr<Memory> operand(const program::MemorySlot& slot, int device);  // none: the slot is something else
  void announce(Memory& memory, event::PlaceId at, int device, int core);
  void linger(std::unique_ptr<Memory> memory) { lingering_.push_back(std::move(memory)); }
  bool move_dma(const SemaphoreRef& semaphore);  // for the only core, which waits; false: there is none to move
  bool chooses(const Core& core);                // lets DMAs go before it; false: another core comes first
  Core& core(std::int64_t device, std::int64_t core) {
    return *cores_[static_cast<std::size_t>(device * program.cores + core)];
  }

  const Linked& linked;
  const program::Program& program;
  const Request& request;
  Tell tell;
  std::vector<event::WorkObserver*> of_work;               // those of the observers that hear of work, too
  std::vector<event::Observer*> of_scopes;                 // and those that hear of scopes
  const std::unique_ptr<shadow::Definedness> definedness;  // where it is asked for
  Transfers transfers;
  Outcome outcome;

 private:
  // setup.cpp
  void bind();
  void bind_operands(int device);
  void bind_aliases(int device);
  void return_outputs(int device);

  Core* next_core();  // none: no core can go on, or all are through
  void add_cores();
  void move(const Option& dma);
  void failed(Core& core, Fault fault);
  void blocked(const Core& core);
  void end();

  struct Device {
    std::vector<std::unique_ptr<Memory>> operands;
    std::vector<Memory*> shared;  // by memory slot: the operands
  };
  std::vector<Device> devices_;
  std::vector<std::unique_ptr<Core>> cores_;        // those of device 0, then those of device 1, ...
  std::vector<std::unique_ptr<Memory>> lingering_;  // freed by the kernel while a DMA still uses it
  std::vector<Array> converted_;                    // inputs that memory holds otherwise than arrays
  std::vector<Option> options_;
  std::vector<SemaphoreRef> awaited_;
  Core* chosen_ = nullptr;
  Meter meter_;
  event::MemoryId next_memory_ = 0;
};

}  // namespace millrace::machine
