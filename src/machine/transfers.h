// SPDX-License-Identifier: Apache-2.0
// The DMA engine: transfers from their issue to their last signal. When each stage runs is somebody else's choice.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "event/event.h"
#include "machine/choice.h"
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
  SemaphoreRef raises;
  std::int64_t amount = 0;  // in all: bytes, or 1
  std::int64_t raised = 0;  // so far
  enum class Stage : std::uint8_t { kIssued, kRead, kWritten, kDone } stage = Stage::kIssued;
  std::shared_ptr<Memory> held;  // what was read, between read and write, where the two are apart
  event::Agent by;
  event::PlaceId at = 0;
  bool window = false;        // of the grid's own pipeline
  shadow::ViewLabels labels;  // of what was read
};

class Transfers {
 public:
  // Without `shadow` nobody asks what is defined.
  Transfers(Tell& tell, shadow::Definedness* shadow) : tell_(tell), shadow_(shadow) {}

  // A transfer to fill in: its views, which must fit their memories, and its semaphore. Good until the next is made.
  Transfer& make();
  // Starts the one that was made; returns its id.
  event::DmaId issue(event::Agent by, std::optional<event::WindowMove> window, event::PlaceId at);
  bool idle() const { return live_.empty(); }
  // All that DMAs may do now, in the order of their issue.
  void options(const SemaphoreRef* awaited, std::vector<Option>& out) const;
  void perform(const Option& option);
  // Everything that is in flight, oldest first, to its end.
  void finish_all();
  // One transfer to its end.
  void finish(event::DmaId id);

  std::uint64_t issued() const { return next_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  Transfer& find(event::DmaId id);
  void read(Transfer& t);
  void write(Transfer& t);
  void progress(Transfer& t);
  void signal(Transfer& t);
  void run_whole(Transfer& t);
  void retire();

  Tell& tell_;
  shadow::Definedness* shadow_;
  std::vector<std::unique_ptr<Transfer>> live_;   // in the order of issue
  std::vector<std::unique_ptr<Transfer>> spare_;  // for the next; the last one is being filled in
  event::DmaId next_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace millrace::machine
