// SPDX-License-Identifier: Apache-2.0
// Everything that a real device may decide, asked in one place: which core goes on, what the DMAs in flight do next.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "event/event.h"

namespace millrace::machine {

// What may happen next. A core goes on. Or a DMA: it reads, then writes, then raises its semaphore by what is left; at
// any time before that it may have raised a DMA semaphore by all but its last granule. A remote copy does the same with
// its send semaphore as it reads.
struct Option {
  enum class Kind : std::uint8_t { kCore, kRead, kWrite, kProgress, kSignal, kSendProgress } kind = Kind::kCore;
  event::DmaId dma = 0;
  bool awaited = false;    // the DMA raises a semaphore that a core waits for
  std::uint32_t core = 0;  // of kCore: which, counted over all devices

  // A DMA takes a step that it need not take before its next stage.
  bool partial() const { return kind == Kind::kProgress || kind == Kind::kSendProgress; }
};

class Choice {
 public:
  // When the machine asks. kWhenIssued: each DMA runs to its end as it is started, nothing is asked. kWhenBlocked: only
  // where the core cannot go on. kAlways: before each thing that a core does to memory or semaphores.
  enum class Moment : std::uint8_t { kWhenIssued, kWhenBlocked, kAlways };

  virtual ~Choice() = default;
  virtual Moment moment() const = 0;
  // Whether a DMA that moves at all runs to its end at once: then it needs no buffer between read and write.
  virtual bool whole() const { return false; }
  // Whether, of DMAs alone, it takes the oldest whole: where a core waits that is the only one, nobody lists them then.
  virtual bool oldest_first() const { return false; }
  // An index into `options`, which is never empty: first the cores that can go on, lowest first, then the DMAs in the
  // order of their issue.
  virtual std::size_t pick(std::span<const Option> options) = 0;
  // One of n things that may come next in the order of a parallel axis of the grid; 0 is the next in line.
  virtual std::size_t among(std::size_t) { return 0; }
  // Whether it is asked to the last: about DMAs that are in flight when the kernel ends, which complete, the oldest
  // first, if not; and where there is but one option.
  virtual bool to_the_end() const { return false; }
  // One that wants to hear what happens.
  virtual event::Observer* observer() { return nullptr; }
  // The kernel has ended, or is blocked for ever.
  virtual void ended() {}
};

// "canonical" (the oldest DMA first, when the core is blocked), "eager", "lazy" (the newest that the wait needs) or
// "random:SEED", "replay:FILE" (machine/replay.h), or the text of such a file in place of its name. Throws
// Error(kUser) for another name, and for a file or text that is no schedule.
std::unique_ptr<Choice> choice_named(const std::string& name);

}  // namespace millrace::machine
