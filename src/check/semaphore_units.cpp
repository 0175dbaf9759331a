// SPDX-License-Identifier: Apache-2.0
#include "check/semaphore_units.h"

#include <fmt/format.h>

#include "check/catalogue.h"

namespace millrace::checkers {

void SemaphoreUnits::on(const event::RegionAllocated& e) {
  if (!e.counts_bytes) return;
  entry(counting_bytes_, e.memory) = std::make_unique<State>();
  counting_bytes_[e.memory]->name = e.name;
}

void SemaphoreUnits::on(const event::RegionFreed& e) {
  if (find(e.memory)) counting_bytes_[e.memory].reset();
}

// A DMA raises what had been signalled before.
void SemaphoreUnits::first_raise(State& state, std::uint32_t element) {
  const auto signals = state.signals.extract(element);
  if (signals.empty()) return;
  for (const event::PlaceId at : signals.mapped()) seen_.insert({state.name, at, Kind::kSignal});
}

void SemaphoreUnits::on(const event::Signalled& e) {
  State* const state = find(e.semaphore.memory);
  if (!state) return;
  if (e.semaphore.element < state->raised.size() && state->raised[e.semaphore.element])
    seen_.insert({state->name, e.at, Kind::kSignal});
  else
    state->signals[e.semaphore.element].insert(e.at);
}

void SemaphoreUnits::on(const event::SemaphoreRead& e) {
  if (const State* state = find(e.semaphore.memory)) seen_.insert({state->name, e.at, Kind::kRead});
}

std::vector<Finding> SemaphoreUnits::findings() const {
  std::vector<Finding> all;
  for (const auto& [semaphore, at, kind] : seen_) {
    const event::Place& place = places_.at(at);
    Finding& f = all.emplace_back();
    f.id = "target.semaphore";
    f.severity = Severity::kWarning;
    f.semaphore = semaphore, f.at = place.at;
    f.message =
        kind == Kind::kSignal
            ? fmt::format("{} signals {}, which DMAs raise by their bytes: how many there are depends on the chip",
                          place.where, semaphore)
            : fmt::format("{} reads {}, which DMAs raise as their bytes arrive: its value depends on the chip",
                          place.where, semaphore);
    f.hint = "take a regular semaphore for plain signals and for what is read; a DMA semaphore for DMAs alone";
    complete(f);
  }
  return all;
}

}  // namespace millrace::checkers
