// SPDX-License-Identifier: Apache-2.0
// A schedule from a file (S3.8): what the cores and the DMAs do, one after the other.
//
//   millrace schedule 1
//   core 0 17            core 0 goes on until it has done 17 things: loads, stores, starts, signals, waits
//   dma 0 2 read         the third DMA that core 0 started reads; then: write, signal; at any time before: progress,
//                        and of a remote copy send-progress
//   dma 0 3 hold         it stays where it is, until a later line or the file's end
//
// Core and DMA count from 0; core 3 of device 1 is `1.3`. Lines that begin with # are comments. A DMA that the file
// names moves only as it says; the others move where the core that is to go on is blocked, the oldest first. After the
// file's end everything does as in the canonical schedule.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "machine/choice.h"

namespace millrace::machine {

inline constexpr std::string_view kScheduleHead = "millrace schedule 1\n";

struct Move {
  enum class Kind : std::uint8_t { kCore, kRead, kWrite, kProgress, kSignal, kSendProgress, kHold } kind = Kind::kCore;
  std::pair<int, int> core;  // device and core
  std::uint64_t number = 0;  // of a core: how many things it has done then; of a DMA: which of that core
  std::size_t line = 0;
};

// Error(kUser) with the line's number where it is no schedule. `name` is what messages call the text.
std::vector<Move> parse_schedule(std::string_view text, const std::string& name);

// Follows the moves. Error(kUser) where one cannot be made: the file was written for another kernel, or other inputs.
std::unique_ptr<Choice> replayed(std::vector<Move> moves, std::string name);

}  // namespace millrace::machine
