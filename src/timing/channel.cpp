// SPDX-License-Identifier: Apache-2.0
#include "timing/channel.h"

#include <algorithm>
#include <cmath>

namespace millrace::timing {

namespace {

constexpr double kThrough = 0.5;      // picoseconds: less than a tick of the clock
constexpr double kSecond = 1e12;      // picoseconds
constexpr double kRoundedOff = 1e-6;  // what sums of doubles may be off

}  // namespace

double Channel::busy() const {
  return static_cast<double>(std::ranges::count_if(queues_, [](const Queue& q) { return q.moving.has_value(); }));
}

void Channel::advance(Time now) {
  const double n = busy(), each = n > 0 ? static_cast<double>(now - at_) / n : 0;
  for (Queue& q : queues_)
    if (q.moving) q.moving->alone -= each;
  at_ = now;
}

std::optional<Channel::Began> Channel::add(Time now, std::size_t queue, Index copy, double bytes) {
  advance(now);
  ++generation_;
  Queue& q = queues_[queue];
  const Waiting w{copy, bytes * (kSecond / rate_)};
  if (q.moving) {
    q.waiting.push_back(w);
    return {};
  }
  q.moving = w;
  return Began{copy, kNone};
}

std::optional<Time> Channel::next_end() const {
  std::optional<double> least;
  for (const Queue& q : queues_)
    if (q.moving) least = least ? std::min(*least, q.moving->alone) : q.moving->alone;
  if (!least) return {};
  return at_ + static_cast<Time>(std::ceil(std::max(*least, 0.0) * busy() - kRoundedOff));
}

Channel::Ended Channel::end(Time now) {
  advance(now);
  ++generation_;
  Ended e;
  for (Queue& q : queues_) {
    if (!q.moving || q.moving->alone > kThrough) continue;
    const Index before = q.moving->copy;
    e.ended.push_back(before);
    q.moving.reset();
    if (q.waiting.empty()) continue;
    q.moving = q.waiting.front();
    q.waiting.pop_front();
    e.began.push_back({q.moving->copy, before});
  }
  return e;
}

}  // namespace millrace::timing
