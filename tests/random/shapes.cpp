// SPDX-License-Identifier: Apache-2.0
// The shapes of random programs.
#include <algorithm>
#include <utility>

#include "generate.h"

namespace millrace::programs {

namespace {

using Kind = Step::Kind;

Step loop(int times, std::vector<Step> body) {
  Step s;
  s.kind = Kind::kLoop, s.times = times, s.body = std::move(body);
  return s;
}

Step only_if(Condition::Kind kind, int value, std::vector<Step> body) {
  Step s;
  s.kind = Kind::kIf, s.condition = {kind, value}, s.body = std::move(body);
  return s;
}

Step awaiting(const Step& start) {
  Step s = start;
  s.kind = Kind::kAwait, s.remote = false;
  return s;
}

Step counting(Kind kind, int semaphore, int amount, bool remote = false) {
  Step s;
  s.kind = kind, s.on.semaphore = semaphore, s.amount = amount, s.remote = remote;
  return s;
}

Step storing(const View& to, const Step& like) {
  Step s = like;
  s.kind = Kind::kStore, s.to = to, s.remote = false;
  return s;
}

Step moving(const View& from, const View& to, const Step& like) {
  Step s = like;
  s.kind = Kind::kMove, s.from = from, s.to = to, s.remote = false;
  return s;
}

// Random steps of one kind or another, which stand in no order that anybody meant.
class Any {
 public:
  Any(const Program& p, Chance& chance) : p_(p), chance_(chance) {}

  std::vector<Step> steps(int most, bool looped, int depth) {
    std::vector<Step> all;
    for (int n = chance_.from(2, most); n > 0; --n) all.push_back(one(looped, depth));
    return all;
  }

  Step tile(Kind kind, bool looped) {
    Step s;
    s.kind = kind, s.rows = chance_.from(1, 3), s.half = chance_.one_in(4);
    s.from = any_view(p_, chance_, looped), s.to = any_view(p_, chance_, looped);
    const bool by_core = kind != Kind::kStart;
    s.from.memory = any_memory(p_, chance_, false, by_core), s.to.memory = any_memory(p_, chance_, true, by_core);
    s.on = {any_semaphore(p_, chance_, !chance_.one_in(8)), {chance_.pick(2), looped ? chance_.pick(2) : 0}};
    return s;
  }

  Step start(bool looped) {
    Step s = tile(Kind::kStart, looped);
    s.remote = chance_.one_in(p_.cores > 1 ? 2 : 8);
    const bool bytes = p_.semaphores[static_cast<std::size_t>(s.on.semaphore)].bytes;
    s.sends = {any_semaphore(p_, chance_, bytes), s.on.slot};
    starts_.push_back(s);
    return s;
  }

 private:
  Step one(bool looped, int depth) {
    const int kind = chance_.pick(16);
    if (kind < 5) return start(looped);
    if (kind < 9 && !starts_.empty()) {
      Step s = awaiting(starts_[static_cast<std::size_t>(chance_.pick(static_cast<int>(starts_.size())))]);
      if (chance_.one_in(4)) s.rows = chance_.from(1, 4);
      return s;
    }
    if (kind < 11) return tile(Kind::kMove, looped);
    if (kind < 12) return tile(Kind::kStore, looped);
    if (kind < 13) return counting(Kind::kSignal, any_semaphore(p_, chance_, false), chance_.from(1, 2), p_.cores > 1);
    if (kind == 13 && chance_.one_in(3)) return counting(Kind::kWait, any_semaphore(p_, chance_, false), 1);
    if (depth > 1) return tile(Kind::kStore, looped);
    if (kind == 14) return loop(chance_.from(1, 3), steps(4, true, depth + 1));
    const bool core = p_.cores > 1 && chance_.one_in(2);
    return only_if(core ? Condition::Kind::kCore : Condition::Kind::kFlag, chance_.pick(2),
                   steps(4, looped, depth + 1));
  }

  const Program& p_;
  Chance& chance_;
  std::vector<Step> starts_;
};

// Awaits what is in flight before anything touches the same memory, and all of it in the end.
class Correct {
 public:
  Correct(const Program& p, Chance& chance) : p_(p), chance_(chance), any_(p, chance) {}

  std::vector<Step> steps(int most, bool looped, int depth) {
    std::vector<Step> all;
    for (int n = chance_.from(1, most); n > 0; --n) one(all, looped, depth);
    await_if(all, [](const Step&) { return true; });
    return all;
  }

 private:
  static bool fixed(const View& v) { return v.slot.step == 0 && v.row.step == 0; }

  bool overlap(const View& a, const Step& of_a, const View& b, const Step& of_b) const {
    if (a.memory != b.memory) return false;
    if (!fixed(a) || !fixed(b)) return true;
    const int slots = p_.memories[static_cast<std::size_t>(a.memory)].slots;
    if (a.slot.at(0, slots) != b.slot.at(0, slots)) return false;
    if (of_a.half && of_b.half && a.right != b.right) return false;
    const auto row = [](const View& v, const Step& s, int r) {
      return v.row.at(0, room(v.comb, s.rows)) + (v.comb ? 2 : 1) * r;
    };
    for (int i = 0; i < of_a.rows; ++i)
      for (int j = 0; j < of_b.rows; ++j)
        if (row(a, of_a, i) == row(b, of_b, j)) return true;
    return false;
  }

  bool conflict(const Step& live, const Step& s) const {
    if (s.kind != Kind::kStore && overlap(live.to, live, s.from, s)) return true;
    return overlap(live.to, live, s.to, s) || overlap(live.from, live, s.to, s);
  }

  // One of them is known only where all on its semaphore are.
  template <class F>
  void await_if(std::vector<Step>& all, const F& needed) {
    std::vector<bool> whole(p_.semaphores.size(), false);
    for (const Step& s : live_)
      if (needed(s)) whole[static_cast<std::size_t>(s.on.semaphore)] = true;
    std::vector<Step> kept;
    for (const Step& s : live_) {
      if (!whole[static_cast<std::size_t>(s.on.semaphore)]) {
        kept.push_back(s);
        continue;
      }
      all.push_back(awaiting(s));
      if (!s.remote) continue;
      all.push_back(awaiting(s));
      all.back().on = s.sends;
    }
    live_ = std::move(kept);
  }

  void one(std::vector<Step>& all, bool looped, int depth) {
    const int kind = chance_.pick(10);
    if (kind < 5) {
      Step s = any_.start(looped);
      s.remote = s.remote && p_.cores == 1 && s.sends.semaphore != s.on.semaphore;
      if (overlap(s.from, s, s.to, s)) s.from.memory = s.to.memory == 1 ? 0 : 1;
      // What awaits the send semaphore must not take what others bring.
      await_if(all, [&](const Step& live) {
        return conflict(live, s) || (s.remote && live.on.semaphore == s.sends.semaphore) ||
               (live.remote && live.sends.semaphore == s.on.semaphore);
      });
      all.push_back(s);
      live_.push_back(s);
    } else if (kind < 8 || depth > 0) {
      const Step s = any_.tile(chance_.one_in(3) ? Kind::kStore : Kind::kMove, looped);
      await_if(all, [&](const Step& live) { return conflict(live, s); });
      all.push_back(s);
    } else {
      await_if(all, [](const Step&) { return true; });
      all.push_back(kind == 8 ? loop(chance_.from(2, 3), steps(3, true, depth + 1))
                              : only_if(Condition::Kind::kFlag, chance_.pick(kFlags), steps(3, looped, depth + 1)));
    }
  }

  const Program& p_;
  Chance& chance_;
  Any any_;
  std::vector<Step> live_;
};

}  // namespace

std::vector<Step> any_steps(const Program& p, Chance& chance) { return Any(p, chance).steps(7, false, 0); }

std::vector<Step> correct_steps(const Program& p, Chance& chance) { return Correct(p, chance).steps(6, false, 0); }

// The load of the next block is under way while this one is used; what goes out is awaited an iteration later.
std::vector<Step> pipelined_steps(const Program&, Chance& chance) {
  const int times = chance.from(2, 4);
  const bool out = chance.one_in(2);
  Step load;
  load.kind = Kind::kStart, load.rows = chance.from(1, 2), load.half = chance.one_in(4);
  load.from = {0, {}, {0, load.rows}, chance.one_in(4), false};
  load.to = {2, {0, 1}, {chance.pick(3), 0}, chance.one_in(4), chance.one_in(2)};
  load.on = {0, {0, 1}};
  Step next = load;
  next.from.row.base += load.rows, next.to.slot.base = next.on.slot.base = 1;
  std::vector<Step> body{only_if(Condition::Kind::kBefore, times - 1, {next}), awaiting(load)};
  View result = load.to;
  if (!out) result.row.base += chance.pick(3);
  body.push_back(moving(load.to, result, load));
  if (out) {
    Step send = load;
    send.from = load.to, send.to = {1, {}, {0, load.rows}, false, false};
    body.push_back(send);
    body.push_back(awaiting(send));
  }
  Step first = load;
  first.from.row.step = first.to.slot.step = first.on.slot.step = 0;
  return {first, loop(times, std::move(body))};
}

namespace {

// Core 0 sends what core 1 uses, and goes on when it hears that it was used.
std::vector<Step> one_way(const Step& send, Chance& chance) {
  const int times = chance.from(1, 3);
  Step sent = awaiting(send);
  sent.on = send.sends;
  View kept = send.to;
  kept.slot.base += 1;
  std::vector<Step> here{storing(send.from, send), send, sent, counting(Kind::kWait, 1, 1)};
  std::vector<Step> there{awaiting(send), moving(send.to, kept, send), counting(Kind::kSignal, 1, 1, true)};
  const bool turned = chance.one_in(3);
  return {only_if(Condition::Kind::kCore, turned ? 1 : 0, {loop(times, std::move(here))}),
          only_if(Condition::Kind::kCore, turned ? 0 : 1, {loop(times, std::move(there))})};
}

// Each sends to the other.
std::vector<Step> both_ways(const Step& send, Chance& chance) {
  Step sent = awaiting(send);
  sent.on = send.sends;
  View kept = send.to;
  kept.slot.base += 1;
  return {loop(chance.from(1, 3), {storing(send.from, send), send, sent, awaiting(send), moving(send.to, kept, send),
                                   counting(Kind::kSignal, 1, 1, true), counting(Kind::kWait, 1, 1)})};
}

// Through the memory that both see: of two cores of one device.
std::vector<Step> through_output(const Step& like, Chance&) {
  Step out = like, back = like;
  out.remote = back.remote = false;
  out.from = like.to, out.to = {1, {}, like.from.row, like.from.comb, false};
  back.from = out.to, back.to = like.to;
  return {
      only_if(Condition::Kind::kCore, 0,
              {storing(out.from, out), out, awaiting(out), counting(Kind::kSignal, 1, 1, true)}),
      only_if(Condition::Kind::kCore, 1, {counting(Kind::kWait, 1, 1), back, awaiting(back), storing(back.to, back)})};
}

}  // namespace

std::vector<Step> two_sided_steps(const Program& p, Chance& chance) {
  Step send;
  send.kind = Kind::kStart, send.remote = true, send.rows = chance.from(1, 3), send.half = chance.one_in(3);
  send.from = any_view(p, chance, false), send.to = any_view(p, chance, false);
  // From one slot into another, so that what comes in does not meet what is sent.
  send.from.memory = send.to.memory = 2;
  send.to.slot.base = 1, send.from.slot.base = 0;
  send.on = {0, {0, 0}}, send.sends = {0, {1, 0}};
  const int shape = chance.pick(3);
  std::vector<Step> all;
  if (shape == 0) all = one_way(send, chance);
  if (shape == 1) all = both_ways(send, chance);
  if (shape == 2) all = through_output(send, chance);
  if (!chance.one_in(3)) return all;
  for (Step& s : Any(p, chance).steps(3, false, 2))
    all.insert(all.begin() + chance.pick(static_cast<int>(all.size()) + 1), std::move(s));
  return all;
}

}  // namespace millrace::programs
