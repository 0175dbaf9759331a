// SPDX-License-Identifier: Apache-2.0
// A skeleton cut down to what orders it: cores that raise and await semaphores in program order, DMAs that read and
// then write. All that it does is one list of happenings, each of which waits for others.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "explore/skeleton.h"

namespace millrace::explore {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

struct Raise {
  SemaphoreId semaphore = kNone;
  std::int64_t amount = 0;
};

struct Happening {
  std::uint32_t core = kNone;        // whose operation it is; of a DMA: none, it comes when it is released
  Raise takes;                       // a wait: how much of what
  std::array<Raise, 2> raises = {};  // at once
  std::uint32_t releases = kNone;    // a start its DMA's read, a read its write
};

struct System {
  std::vector<Happening> all;
  std::vector<std::vector<std::uint32_t>> cores;  // in program order
  std::vector<std::int64_t> counts;               // of the semaphores, to begin with

  std::uint32_t add(std::uint32_t core, const Happening& h);  // to the end of the core
  // A start by the core; returns the happening of the read, which the write follows.
  std::uint32_t add_dma(std::uint32_t core, const Dma& dma, bool whole);
};

// Where each step of the skeleton stands in the system.
struct Places {
  std::vector<std::vector<std::uint32_t>> cores;  // by core and operation
  std::vector<std::uint32_t> reads;               // by DMA; the write is the next; kNone where it was not started
  std::uint32_t of(const Step& step) const;
};

// The first `limits[c]` operations of each core, and all that they start.
System system_of(const Skeleton& s, const std::vector<std::size_t>& limits, bool whole, Places& places);

// The same letters for the same system, whatever run it was taken from.
std::string key_of(const System& s);

}  // namespace millrace::explore
