// SPDX-License-Identifier: Apache-2.0
#include "timing/clock.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <queue>
#include <tuple>

#include "timing/channel.h"

namespace millrace::timing {

namespace {

// At one moment copies end before copies begin, and both before cores look.
enum class Kind : std::uint8_t { kChannel, kSignal, kReady, kCore };

struct Event {
  Time at;
  Kind kind;
  Index index;  // a channel, a copy, a core; of a signal: its number in `far`
  std::uint64_t generation;
  friend bool operator>(const Event& a, const Event& b) {
    return std::tuple(a.at, a.kind, a.index, a.generation) > std::tuple(b.at, b.kind, b.index, b.generation);
  }
};

struct Contribution {
  std::int64_t amount;
  Index copy, core, action;  // a copy, or a signal of a core
  bool whole = true;         // of a copy: not its sending half
};

struct Count {
  std::int64_t held = 0;
  std::deque<Contribution> parts;  // in the order in which they came
  Index waiter = kNone;            // a core
};

class Clock {
 public:
  Clock(const Trace& trace, const Costs& costs) : trace_(trace), costs_(costs) {
    for (const CoreTrace& c : trace.cores) {
      times_.cores.emplace_back(c.actions.size());
      channels_.emplace_back(costs.hbm, 3);  // loads, stores, within HBM
      channels_.emplace_back(costs.local, 1);
      channels_.emplace_back(costs.link, 1);
    }
    times_.copies.resize(trace.copies.size());
    counts_.resize(trace.semaphores.size());
    next_.resize(trace.cores.size(), 0);
    now_.resize(trace.cores.size(), 0);
  }

  Times go() {
    for (Index c = 0; c < trace_.cores.size(); ++c) push(0, Kind::kCore, c);
    while (!events_.empty()) {
      const Event e = events_.top();
      events_.pop();
      at_ = e.at;
      switch (e.kind) {
        case Kind::kChannel: end_copies(e); break;
        case Kind::kSignal: deliver(far_[e.index].first, far_[e.index].second); break;
        case Kind::kReady: begin_copy(e.index); break;
        case Kind::kCore: run_core(e.index); break;
      }
    }
    return std::move(times_);
  }

 private:
  void push(Time at, Kind kind, Index index, std::uint64_t generation = 0) {
    events_.push({at, kind, index, generation});
  }

  std::size_t channel_of(const Copy& c) const {
    const std::size_t first = std::size_t{3} * c.core;
    return c.direction == Direction::kLocal ? first + 1 : c.direction == Direction::kSend ? first + 2 : first;
  }

  void begin_copy(Index copy) {
    const Copy& c = trace_.copies[copy];
    const std::size_t channel = channel_of(c);
    const std::size_t queue = c.direction == Direction::kStore ? 1 : c.direction == Direction::kHbm ? 2 : 0;
    const double bytes = static_cast<double>(c.bytes) * (c.direction == Direction::kHbm ? 2 : 1);
    if (channels_[channel].add(at_, queue, copy, bytes)) times_.copies[copy].begin = at_;
    plan(channel);
  }

  void plan(std::size_t channel) {
    if (const auto end = channels_[channel].next_end())
      push(*end, Kind::kChannel, static_cast<Index>(channel), channels_[channel].generation());
  }

  void end_copies(const Event& e) {
    Channel& channel = channels_[e.index];
    if (e.generation != channel.generation()) return;
    const Channel::Ended now = channel.end(at_);
    for (const Channel::Began& b : now.began)
      times_.copies[b.copy].begin = at_, times_.copies[b.copy].behind = b.behind;
    for (const Index copy : now.ended) {
      const Copy& c = trace_.copies[copy];
      times_.copies[copy].end = at_;
      times_.end = std::max(times_.end, at_);
      if (c.sends != kNone) deliver(c.sends, {c.amount, copy, kNone, kNone, false});
      deliver(c.raises, {c.amount, copy, kNone, kNone});
    }
    plan(e.index);
  }

  void deliver(Index semaphore, const Contribution& part) {
    Count& count = counts_[semaphore];
    count.held += part.amount;
    count.parts.push_back(part);
    if (count.waiter == kNone) return;
    const Index core = count.waiter;
    const Action& a = trace_.cores[core].actions[next_[core]];
    if (a.act == Act::kStuck || count.held < trace_.waits[a.index].amount) return;
    count.waiter = kNone;
    ActionTimes& t = times_.cores[core][next_[core]];
    t.by_copy = part.copy, t.by_core = part.core, t.by_action = part.action;
    pass(core, a);
  }

  // The wait of a core is met: takes off what it waited for.
  void pass(Index core, const Action& a) {
    const Wait& w = trace_.waits[a.index];
    Count& count = counts_[w.semaphore];
    ActionTimes& t = times_.cores[core][next_[core]];
    count.held -= w.amount;
    for (std::int64_t left = w.amount; left > 0 && !count.parts.empty();) {
      Contribution& first = count.parts.front();
      const std::int64_t taken = std::min(left, first.amount);
      left -= taken, first.amount -= taken;
      if (first.amount > 0) break;
      if (first.copy != kNone && first.whole) times_.copies[first.copy].met = a.index;
      count.parts.pop_front();
    }
    t.blocked = at_;
    t.end = now_[core] = at_ + costs_.control;
    ++next_[core];
    times_.end = std::max(times_.end, t.end);
    push(now_[core], Kind::kCore, core);
  }

  // Until it has to look at a semaphore at a time that is still to come.
  void run_core(Index core) {
    const std::vector<Action>& actions = trace_.cores[core].actions;
    for (; next_[core] < actions.size(); ++next_[core]) {
      const Action& a = actions[next_[core]];
      ActionTimes& t = times_.cores[core][next_[core]];
      t.begin = t.end = t.blocked = now_[core];
      if (a.act == Act::kWait || a.act == Act::kStuck) {
        if (now_[core] > at_) return push(now_[core], Kind::kCore, core);
        Count& count = counts_[trace_.waits[a.index].semaphore];
        if (a.act == Act::kWait && count.held >= trace_.waits[a.index].amount) return pass(core, a);
        count.waiter = core;
        return;
      }
      act(core, a, t);
      now_[core] = t.end;
      times_.end = std::max(times_.end, t.end);
    }
  }

  void act(Index core, const Action& a, ActionTimes& t) {
    if (a.act == Act::kCompute) t.end = t.begin + duration_of(trace_.computes[a.index], costs_);
    if (a.act == Act::kStart) {
      t.end = t.begin + costs_.control;
      times_.copies[a.index].start = t.end;
      push(t.end + costs_.latency, Kind::kReady, a.index);
    }
    if (a.act == Act::kSignal) {
      t.end = t.begin + costs_.control;
      const Signal& s = trace_.signals[a.index];
      far_.push_back({s.semaphore, {s.amount, kNone, core, static_cast<Index>(next_[core])}});
      push(t.end + (s.far ? costs_.latency : 0), Kind::kSignal, static_cast<Index>(far_.size() - 1));
    }
  }

  const Trace& trace_;
  const Costs& costs_;
  Times times_;
  std::vector<Channel> channels_;  // three a core
  std::vector<Count> counts_;      // by semaphore
  std::vector<std::size_t> next_;  // by core: its next action
  std::vector<Time> now_;          // by core
  std::vector<std::pair<Index, Contribution>> far_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Time at_ = 0;
};

}  // namespace

Time duration_of(const Compute& c, const Costs& costs) {
  const double matrix = c.matrix / costs.matrix + c.matrix32 / costs.matrix_rate(32, true) +
                        c.matrix_i8 / costs.matrix_i8 + c.matrix_f8 / costs.matrix_f8 + c.matrix_i4 / costs.matrix_i4;
  const double longest =
      std::max({c.vector / costs.vector, c.transcendental / costs.transcendental, c.rearrange / costs.rearrange,
                c.loaded / costs.loads, c.stored / costs.stores, 2 * matrix});
  return static_cast<Time>(std::ceil(longest * 1e12));
}

Times run_clock(const Trace& trace, const Costs& costs) { return Clock(trace, costs).go(); }

}  // namespace millrace::timing
