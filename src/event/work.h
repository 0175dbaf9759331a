// SPDX-License-Identifier: Apache-2.0
// How much a core computes between its other events: amounts only, never values. Told only to those who ask for it.
#pragma once

#include <cstdint>

#include "event/event.h"

namespace millrace::event {

// The part of a core that does the work.
enum class Unit : std::uint8_t {
  kVector,          // one result an element: sums, comparisons, selections, reductions
  kTranscendental,  // exponentials, logarithms, roots, divisions
  kRearrange,       // elements change places: transpositions, rotations, gathers
  kMatrix,          // multiply-adds
};

struct Computed {
  Agent who;
  Unit unit = Unit::kVector;
  std::int64_t amount = 0;  // elements; of kMatrix: multiply-adds
  int bits = 32;            // of an element; of kMatrix: of the wider side's, as they are multiplied
  bool floating = true;
  PlaceId at = 0;
};

class WorkObserver : public Observer {
 public:
  using Observer::on;
  virtual void on(const Computed& e) = 0;
};

}  // namespace millrace::event
