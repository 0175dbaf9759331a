// SPDX-License-Identifier: Apache-2.0
// Tables over what a run numbers from 0: cores, places, semaphores. An entry is there as soon as it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "event/event.h"

namespace millrace::checkers {

template <class T>
[[gnu::noinline]] void grow(std::vector<T>& table, std::size_t number) {  // seldom
  table.resize(number + 1);
}
template <class T>
T& entry(std::vector<T>& table, std::size_t number) {
  if (number >= table.size()) grow(table, number);
  return table[number];
}

// By core. Most events are of the core that the last one was of.
template <class T>
class ByCore {
 public:
  ByCore() = default;
  ByCore(const ByCore&) = delete;  // it points into itself
  T& of(const event::Agent& who) {
    if (!last_ || who.device != device_ || who.core != core_) {
      last_ = &cores_[{who.device, who.core}];
      device_ = who.device, core_ = who.core;
    }
    return *last_;
  }
  const T* find(const event::Agent& who) const {
    const auto core = cores_.find({who.device, who.core});
    return core == cores_.end() ? nullptr : &core->second;
  }

 private:
  std::map<std::pair<int, int>, T> cores_;
  T* last_ = nullptr;  // asked for; and whose it is
  int device_ = 0, core_ = 0;
};

// By semaphore: a list of the elements' entries for each semaphore array.
template <class T>
class BySemaphore {
 public:
  T& of(const event::Semaphore& s) { return entry(entry(arrays_, s.memory), s.element); }

 private:
  std::vector<std::vector<T>> arrays_;
};

// How often each place has touched a memory, by the number of its name. A place touches few.
class Executions {
 public:
  std::uint64_t& of(event::PlaceId at, std::uint32_t name) {
    auto& here = entry(places_, at);
    for (auto& [known, count] : here)
      if (known == name) return count;
    return here.emplace_back(name, 0).second;
  }
  std::uint64_t so_far(event::PlaceId at, std::uint32_t name) const {
    if (at < places_.size())
      for (const auto& [known, count] : places_[at])
        if (known == name) return count;
    return 0;
  }

 private:
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> places_;
};

}  // namespace millrace::checkers
