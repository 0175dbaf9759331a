// SPDX-License-Identifier: Apache-2.0
// What a checker keeps of each DMA while it is on its way. DMAs are numbered as they are issued, so this is a ring of
// those between the oldest and the newest: found at once, and the room of one that is through is used again.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "event/event.h"
#include "millrace/error.h"

namespace millrace::checkers {

template <class T>
class InFlight {
 public:
  // To be filled in: it may still hold what was kept of an earlier DMA. Error(kInternal) where numbers go back.
  T& add(event::DmaId dma) {
    if (empty()) first_ = end_ = dma;
    if (dma < first_) throw Error(ErrorCode::kInternal, "DMAs are not numbered as they are issued");
    for (; end_ <= dma; ++end_) {
      if (end_ - first_ == slots_.size()) grow();
      slot(end_).live = false;
    }
    Slot& added = slot(dma);
    added.live = true;
    return added.value;
  }
  const T& at(event::DmaId dma) const {
    if (!has(dma)) throw Error(ErrorCode::kInternal, "a DMA moves that is not on its way");
    return slot(dma).value;
  }
  const T* find(event::DmaId dma) const { return has(dma) ? &slot(dma).value : nullptr; }
  T* find(event::DmaId dma) { return has(dma) ? &slot(dma).value : nullptr; }
  void remove(event::DmaId dma) {
    if (!has(dma)) return;
    slot(dma).live = false;
    while (first_ != end_ && !slot(first_).live) ++first_;
  }
  bool empty() const { return first_ == end_; }
  event::DmaId oldest() const { return first_; }  // where there is one
  const T& front() const { return slot(first_).value; }
  event::DmaId end() const { return end_; }  // behind the newest

 private:
  struct Slot {
    T value{};
    bool live = false;
  };
  bool has(event::DmaId dma) const { return dma >= first_ && dma < end_ && slot(dma).live; }
  Slot& slot(event::DmaId dma) { return slots_[dma & mask_]; }
  const Slot& slot(event::DmaId dma) const { return slots_[dma & mask_]; }
  [[gnu::noinline]] void grow() {  // a power of two; seldom
    std::vector<Slot> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (event::DmaId dma = first_; dma != end_; ++dma) larger[dma & (larger.size() - 1)] = std::move(slot(dma));
    slots_ = std::move(larger);
    mask_ = slots_.size() - 1;
  }

  std::vector<Slot> slots_;
  std::size_t mask_ = 0;              // one less than there are slots: a size of a vector is a division
  event::DmaId first_ = 0, end_ = 0;  // the oldest that is live, and behind the newest
};

}  // namespace millrace::checkers
