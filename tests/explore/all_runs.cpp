// SPDX-License-Identifier: Apache-2.0
// Every interleaving of cores, reads, writes, progress and signals, by plain search.
#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "sketch.h"

namespace millrace::test {

namespace {

using Kind = Act::Kind;

struct Transfer {
  const Act* start;
  std::size_t core;
  int stage = 0;  // 0 not started, 1 started, 2 read, 3 written, 4 signalled
  bool progressed = false, sent_ahead = false;
};

// Who touches what: a core's act, or an end of a transfer.
struct Access {
  std::size_t agent;  // a core, or cores + transfer
  const Touch* touch;
  bool write;
};

class Search {
 public:
  Search(const Sketch& sketch, bool whole, std::size_t most)
      : sketch_(sketch), whole_(whole), most_(most), at_(sketch.cores.size(), 0) {
    counts_.assign(sketch.bytes.size(), 0);
    for (std::size_t c = 0; c < sketch.cores.size(); ++c)
      for (const Act& act : sketch.cores[c]) number(act, c);
    for (std::size_t a = 0; a < accesses_.size(); ++a)
      for (std::size_t b = a + 1; b < accesses_.size(); ++b)
        if (conflict(accesses_[a], accesses_[b])) pairs_.push_back({a, b});
    ran_.assign(accesses_.size(), false);
    order_.assign(pairs_.size(), '-');
  }

  AllRuns run() {
    visit();
    return std::move(runs_);
  }

 private:
  void number(const Act& act, std::size_t core) {
    if (act.kind == Kind::kRead || act.kind == Kind::kWrite) {
      of_act_[&act] = accesses_.size();
      accesses_.push_back({core, &act.touch, act.kind == Kind::kWrite});
    }
    if (act.kind != Kind::kStart) return;
    of_act_[&act] = accesses_.size();
    const std::size_t agent = sketch_.cores.size() + transfers_.size();
    accesses_.push_back({agent, &act.touch, false});
    accesses_.push_back({agent, &act.target, true});
    of_start_[&act] = transfers_.size();
    transfers_.push_back({&act, core});
  }

  static bool conflict(const Access& a, const Access& b) {
    return a.agent != b.agent && (a.write || b.write) && a.touch->memory == b.touch->memory &&
           (a.touch->elements() & b.touch->elements()) != 0;
  }

  void access(std::size_t a) {
    ran_[a] = true;
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (order_[p] == '-' && (pairs_[p].first == a || pairs_[p].second == a))
        order_[p] = pairs_[p].first == a ? '<' : '>';
  }

  std::int64_t granule(const Transfer& t, int semaphore) const {
    if (whole_ || !sketch_.bytes[static_cast<std::size_t>(semaphore)]) return t.start->amount;
    return std::min<std::int64_t>(32, t.start->amount);
  }
  std::int64_t& count(int semaphore) { return counts_[static_cast<std::size_t>(semaphore)]; }

  // Calls f for each thing that may happen next, after it has happened, and takes it back.
  template <class F>
  bool each_next(const F& f) {
    bool any = false;
    const auto then = [&](auto&& change) {
      const auto before = std::tuple(at_, counts_, transfers_, ran_, order_);
      change();
      f();
      std::tie(at_, counts_, transfers_, ran_, order_) = before;
      any = true;
    };
    for (std::size_t c = 0; c < at_.size(); ++c) {
      if (at_[c] == sketch_.cores[c].size()) continue;
      const Act& act = sketch_.cores[c][at_[c]];
      if (act.kind == Kind::kWait && count(act.semaphore) < act.amount) continue;
      then([&] { core(c, act); });
    }
    for (std::size_t t = 0; t < transfers_.size(); ++t) transfer(t, then);
    return any;
  }

  void core(std::size_t c, const Act& act) {
    ++at_[c];
    if (act.kind == Kind::kWait) count(act.semaphore) -= act.amount;
    if (act.kind == Kind::kSignal) count(act.semaphore) += act.amount;
    if (act.kind == Kind::kStart) transfers_[of_start_.at(&act)].stage = 1;
    if (act.kind == Kind::kRead || act.kind == Kind::kWrite) access(of_act_.at(&act));
  }

  template <class F>
  void transfer(std::size_t index, const F& then) {
    const Transfer now = transfers_[index];
    const Act& start = *now.start;
    const auto self = [this, index]() -> Transfer& { return transfers_[index]; };
    if (now.stage == 0 || now.stage == 4) return;
    if (now.stage == 1)
      then([&] {
        self().stage = 2, access(of_act_.at(&start));
        if (start.sends >= 0)
          count(start.sends) += now.sent_ahead ? granule(now, start.semaphore) : start.amount, self().sent_ahead = true;
      });
    if (now.stage == 2) then([&] { self().stage = 3, access(of_act_.at(&start) + 1); });
    if (now.stage == 3)
      then([&] {
        self().stage = 4;
        count(start.semaphore) += now.progressed ? granule(now, start.semaphore) : start.amount;
      });
    const std::int64_t early = start.amount - granule(now, start.semaphore);
    if (!now.progressed && early > 0) then([&] { self().progressed = true, count(start.semaphore) += early; });
    if (!now.sent_ahead && start.sends >= 0 && now.stage == 1 && early > 0)
      then([&] { self().sent_ahead = true, count(start.sends) += early; });
  }

  std::string here() const {
    std::string text = order_;
    for (std::size_t at : at_) text += static_cast<char>('0' + at);
    for (const Transfer& t : transfers_)
      text += static_cast<char>('0' + t.stage * 4 + (t.progressed ? 1 : 0) + (t.sent_ahead ? 2 : 0));
    return text;
  }

  void visit() {
    if (seen_.size() == most_) runs_.all = false;
    if (!runs_.all || !seen_.insert(here()).second) return;
    if (each_next([&] { visit(); })) return;
    std::string orders = order_;
    for (std::size_t p = 0; p < pairs_.size(); ++p)
      if (!ran_[pairs_[p].first] || !ran_[pairs_[p].second]) orders[p] = '-';
    bool ended = true;
    for (std::size_t c = 0; c < at_.size(); ++c) ended &= at_[c] == sketch_.cores[c].size();
    (ended ? runs_.complete : runs_.deadlocked).insert(orders);
  }

  const Sketch& sketch_;
  bool whole_;
  std::size_t most_;
  std::vector<std::size_t> at_;
  std::vector<std::int64_t> counts_;
  std::vector<Transfer> transfers_;
  std::vector<Access> accesses_;
  std::map<const Act*, std::size_t> of_act_, of_start_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::vector<bool> ran_;
  std::string order_;  // by pair: who came first
  std::set<std::string> seen_;
  AllRuns runs_;
};

}  // namespace

AllRuns all_runs(const Sketch& sketch, bool whole, std::size_t most_states) {
  return Search(sketch, whole, most_states).run();
}

}  // namespace millrace::test
