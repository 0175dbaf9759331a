// SPDX-License-Identifier: Apache-2.0
#include "timing/coarse.h"

#include <algorithm>
#include <set>

namespace millrace::timing {

namespace {

class Joining {
 public:
  Joining(Timeline t, std::size_t most) : t_(std::move(t)) {
    const std::size_t buckets = std::max<std::size_t>(most / 2 / std::max<std::size_t>(t_.lanes.size(), 1), 16);
    bucket_ = std::max<Time>(t_.end / static_cast<Time>(buckets), 1);
    for (const Fault& f : t_.faults)
      for (const Moment& m : f.moments)
        if (m.bar != kNone) kept_.insert(m.bar);
  }

  Timeline joined() {
    t_.coarse = {true, t_.bars.size(), bucket_};
    join_bars();
    join_tenancies();
    rename();
    for (Counter& c : t_.counters) thin(c);
    return std::move(t_);
  }

 private:
  bool same_bucket(Time begin, Time end) const { return begin / bucket_ == end / bucket_; }

  void join_bars() {
    std::vector<Bar> bars;
    now_.resize(t_.bars.size());
    whole_.assign(t_.bars.size(), false);
    for (Index i = 0; i < t_.bars.size(); ++i) {
      Bar& b = t_.bars[i];
      const bool open = !bars.empty() && open_ && bars.back().lane == b.lane && !kept_.contains(i) &&
                        same_bucket(bars.back().begin, b.begin) && !b.never;
      if (open) {
        add(bars.back(), b);
      } else {
        open_ = !kept_.contains(i) && !b.never;
        bars.push_back(std::move(b));
      }
      now_[i] = static_cast<Index>(bars.size() - 1);
    }
    for (Index i = 0; i < now_.size(); ++i) whole_[i] = bars[now_[i]].count == 1;
    t_.bars = std::move(bars);
  }

  static void add(Bar& into, const Bar& b) {
    if (into.label != b.label) into.label.clear();
    into.end = std::max(into.end, b.end);
    into.bytes += b.bytes, into.busy += b.busy, into.count += b.count;
    into.critical |= b.critical;
    into.leaves_open += b.leaves_open;
    into.block = into.step = kNone;
    into.lives.clear(), into.proves.clear(), into.semaphore.clear();
  }

  void join_tenancies() {
    std::vector<Tenancy> all;
    lives_now_.resize(t_.tenancies.size());
    for (Index i = 0; i < t_.tenancies.size(); ++i) {
      const Tenancy& life = t_.tenancies[i];
      const bool open = !all.empty() && all.back().row == life.row && all.back().slot == life.slot &&
                        life.reusable >= 0 && all.back().reusable >= 0 && same_bucket(all.back().begin, life.begin);
      if (open) {
        Tenancy& into = all.back();
        into.filled = std::max(into.filled, life.filled), into.last_use = std::max(into.last_use, life.last_use);
        into.reusable = std::max(into.reusable, life.reusable);
        into.block = kNone, into.count += life.count, into.opened_by = into.last_by = kNone;
      } else {
        all.push_back(life);
      }
      lives_now_[i] = static_cast<Index>(all.size() - 1);
    }
    t_.tenancies = std::move(all);
  }

  // Numbers of bars and lives are now others.
  void rename() {
    for (Bar& b : t_.bars) {
      for (Index& l : b.lives) l = lives_now_[l];
      for (Index& p : b.proves) p = now_[p];
    }
    for (Tenancy& life : t_.tenancies)
      for (Index* bar : {&life.opened_by, &life.last_by})
        if (*bar != kNone) *bar = now_[*bar];
    std::erase_if(t_.arrows, [&](const Arrow& a) { return a.wait == kNone || !whole_[a.copy] || !whole_[a.wait]; });
    for (Arrow& a : t_.arrows) a = {now_[a.copy], now_[a.wait]};
    for (Fault& f : t_.faults)
      for (Moment& m : f.moments)
        if (m.bar != kNone) m.bar = now_[m.bar];
  }

  void thin(Counter& c) const {
    std::vector<Counter::Point> points;
    for (const Counter::Point& p : c.points) {
      if (!points.empty() && points.back().at / bucket_ == p.at / bucket_)
        points.back().value = std::max(points.back().value, p.value);
      else
        points.push_back(p);
    }
    if (!c.points.empty()) points.back().value = c.points.back().value;
    c.points = std::move(points);
  }

  Timeline t_;
  Time bucket_ = 1;
  bool open_ = false;  // the last bar may take in more
  std::set<Index> kept_;
  std::vector<Index> now_, lives_now_;
  std::vector<bool> whole_;
};

}  // namespace

Timeline coarse(Timeline timeline, std::size_t most) {
  if (timeline.bars.size() <= most) return timeline;
  return Joining(std::move(timeline), most).joined();
}

}  // namespace millrace::timing
