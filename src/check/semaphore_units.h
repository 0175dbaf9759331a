// SPDX-License-Identifier: Apache-2.0
// Warnings where a kernel takes a DMA semaphore for a plain count (S4.9).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/by_number.h"
#include "event/event.h"

namespace millrace::checkers {

class SemaphoreUnits final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { places_.assign(e.places.begin(), e.places.end()); }
  void on(const event::RegionAllocated& e) override;
  void on(const event::RegionFreed& e) override;
  void on(const event::DmaIssued& e) override {
    State* const state = e.window ? nullptr : find(e.raises.memory);
    if (!state) return;
    char& raised = entry(state->raised, e.raises.element);
    if (!std::exchange(raised, true)) first_raise(*state, e.raises.element);
  }
  void on(const event::Signalled& e) override;
  void on(const event::SemaphoreRead& e) override;

  // One a place and semaphore array.
  std::vector<Finding> findings() const;

 private:
  enum class Kind : std::uint8_t { kSignal, kRead };
  using Seen = std::tuple<std::string, event::PlaceId, Kind>;  // by the semaphores' name
  struct State {
    std::string name;
    std::map<std::uint32_t, std::set<event::PlaceId>> signals;  // by element; moved away once a DMA raises it, too
    std::vector<char> raised;                                   // by element: a DMA has raised it
  };

  void first_raise(State& state, std::uint32_t element);
  State* find(event::MemoryId memory) {
    return memory < counting_bytes_.size() ? counting_bytes_[memory].get() : nullptr;
  }

  std::vector<event::Place> places_;
  std::vector<std::unique_ptr<State>> counting_bytes_;  // by memory
  std::set<Seen> seen_;
};

}  // namespace millrace::checkers
