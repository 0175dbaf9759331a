// SPDX-License-Identifier: Apache-2.0
// The DMA engine: transfers from their issue to their last signal. When each stage runs is somebody else's choice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "event/event.h"
#include "machine/choice.h"
#include "machine/located.h"
#include "machine/shadow/definedness.h"
#include "machine/tell.h"
#include "machine/view.h"

namespace millrace::machine {

struct SemaphoreRef {
  Memory* memory = nullptr;
  std::uint32_t element = 0;
  std::int64_t& count() const { return memory->counts[element]; }
  event::Semaphore named() const { return {memory->id, element}; }
  friend bool operator==(const SemaphoreRef&, const SemaphoreRef&) = default;
};

struct Transfer {
  event::DmaId id = 0;
  View source, target;
  // Or: how the bytes are laid out, and where they begin. Then the views name their memories, and no more until
  // fill_views().
  const LocatedDma* located = nullptr;
  std::int64_t from = 0, to = 0;
  SemaphoreRef raises;
  SemaphoreRef sends;       // of a remote copy: raised when the source has been read
  std::int64_t amount = 0;  // in all: bytes, or 1
  std::int64_t sent = 0;    // so far, on `sends`
  std::int64_t raised = 0;  // so far
  enum class Stage : std::uint8_t { kIssued, kRead, kWritten, kDone } stage = Stage::kIssued;
  std::shared_ptr<Memory> held;  // what was read, between read and write, where the two are apart
  event::Agent by;
  event::PlaceId at = 0;
  bool window = false;        // of the grid's own pipeline
  bool viewed = false;        // the views are filled in
  shadow::ViewLabels labels;  // of what was read

  void fill_views() {
    if (viewed) return;
    view_of(located->source, from, *source.memory, source), view_of(located->target, to, *target.memory, target);
    viewed = true;
  }
};

class Transfers {
 public:
  // Without `shadow` nobody asks what is defined. `whole`: each raises its semaphore once, when it is complete (S4.8).
  explicit Transfers(Tell& tell, shadow::Definedness* shadow = nullptr, bool whole = false,
                     std::int64_t granule = event::kDmaGranule)
      : tell_(tell), shadow_(shadow), whole_(whole), granule_(granule) {}

  // A transfer to fill in: its views, which must fit their memories, and its semaphore. Good until the next is made.
  // What is located in place of views is for one between two memories that goes to its end at once; the boxes of its
  // ends are those in to_tell(), where somebody listens.
  Transfer& make();
  event::DmaIssued& to_tell() { return issued_; }
  // Starts the one that was made; returns its id.
  event::DmaId issue(event::Agent by, std::optional<event::WindowMove> window, event::PlaceId at);
  bool idle() const { return live_.empty(); }
  // All that DMAs may do now, in the order of their issue.
  void options(std::span<const SemaphoreRef> awaited, std::vector<Option>& out) const;
  void perform(const Option& option);
  // Everything that is in flight, oldest first, to its end.
  void finish_all();
  // One transfer to its end.
  void finish(event::DmaId id);
  bool finish_oldest();  // false: there is none

  std::uint64_t issued() const { return next_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::int64_t granule(const Transfer& t) const { return whole_ ? t.amount : granule_; }
  Transfer& find(event::DmaId id);
  void read(Transfer& t);
  void write(Transfer& t);
  void progress(Transfer& t);
  void send_progress(Transfer& t);
  void send(Transfer& t);
  void signal(Transfer& t);
  void run_whole(Transfer& t);
  void move(Transfer& t);
  void retire();
  void tell_issued(const Transfer& t, std::optional<event::WindowMove> window);

  Tell& tell_;
  shadow::Definedness* shadow_;
  const bool whole_;
  const std::int64_t granule_;
  std::vector<std::unique_ptr<Transfer>> live_;   // in the order of issue
  std::vector<std::unique_ptr<Transfer>> spare_;  // for the next; the last one is being filled in
  event::DmaIssued issued_{};                     // to be told, made once: only what changes is filled in
  event::DmaId next_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace millrace::machine
