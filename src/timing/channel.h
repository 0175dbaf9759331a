// SPDX-License-Identifier: Apache-2.0
// A path on which DMAs move bytes: a few queues, each of which moves one DMA at a time, in the order in which they
// came; the queues that are busy share the rate equally.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "timing/costs.h"
#include "timing/trace.h"

namespace millrace::timing {

class Channel {
 public:
  Channel(double bytes_per_second, std::size_t queues) : rate_(bytes_per_second), queues_(queues) {}

  struct Began {
    Index copy;
    Index behind;  // the copy that it had to wait for, or kNone
  };
  // A copy of so many bytes is ready to move; tells where it begins at once.
  std::optional<Began> add(Time now, std::size_t queue, Index copy, double bytes);
  // When the next copy will be through, if nothing else comes; empty where none moves.
  std::optional<Time> next_end() const;
  // Copies that are through at `now`, which is that time; and those that begin in their stead.
  struct Ended {
    std::vector<Index> ended;
    std::vector<Began> began;
  };
  Ended end(Time now);
  std::uint64_t generation() const { return generation_; }  // changes where next_end() may have

 private:
  struct Waiting {
    Index copy;
    double alone;  // picoseconds that it takes when it has the whole rate
  };
  struct Queue {
    std::deque<Waiting> waiting;
    std::optional<Waiting> moving;
  };
  void advance(Time now);
  double busy() const;

  double rate_;
  std::vector<Queue> queues_;
  Time at_ = 0;
  std::uint64_t generation_ = 0;
};

}  // namespace millrace::timing
