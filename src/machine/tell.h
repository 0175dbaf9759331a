// SPDX-License-Identifier: Apache-2.0
// Passes events on. Without observers nothing is built and nobody is called.
#pragma once

#include <span>
#include <vector>

#include "event/event.h"

namespace millrace::machine {

class Tell {
 public:
  explicit Tell(std::span<event::Observer* const> observers) : observers_(observers.begin(), observers.end()) {}
  void add(event::Observer* observer) { observers_.push_back(observer); }
  bool anyone() const { return !observers_.empty(); }
  template <class Event>
  void operator()(const Event& event) {
    for (event::Observer* o : observers_) o->on(event);
  }

 private:
  std::vector<event::Observer*> observers_;
};

}  // namespace millrace::machine
