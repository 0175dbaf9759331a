// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <fmt/format.h>

#include <map>

namespace millrace::programs {

namespace {

using Kind = Step::Kind;

std::string text_of(const Number& n) {
  if (n.step == 0) return fmt::format("{}", n.base);
  return n.step == 1 ? fmt::format("{}+i", n.base) : fmt::format("{}+{}i", n.base, n.step);
}

class Text {
 public:
  explicit Text(const Program& p) : p_(p) {}

  std::string run() {
    text_ = fmt::format("{} {}, flags", p_.cores, p_.devices ? "device(s)" : "core(s)");
    for (bool flag : p_.flags) text_ += flag ? " 1" : " 0";
    for (std::size_t m = 0; m < p_.memories.size(); ++m) {
      static const char* const kinds[] = {"input", "output", "scratch", "scoped"};
      text_ += fmt::format("; m{} {} x{}", m, kinds[static_cast<int>(p_.memories[m].kind)], p_.memories[m].slots);
    }
    for (std::size_t s = 0; s < p_.semaphores.size(); ++s)
      text_ += fmt::format("; s{} {} x{}", s, p_.semaphores[s].bytes ? "bytes" : "count", p_.semaphores[s].slots);
    text_ += "\n";
    all(p_.steps, 1);
    return std::move(text_);
  }

 private:
  std::string view(const View& v, const Step& s) const {
    const std::string slot =
        p_.memories[static_cast<std::size_t>(v.memory)].slots > 1 ? fmt::format("{}; ", text_of(v.slot)) : "";
    return fmt::format("m{}[{}{} for {}{}{}]", v.memory, slot, text_of(v.row), s.rows, v.comb ? " of every second" : "",
                       !s.half   ? ""
                       : v.right ? ", right"
                                 : ", left");
  }
  std::string counter(const Counter& c) const { return fmt::format("s{}[{}]", c.semaphore, text_of(c.slot)); }

  std::string words(const Step& s) const {
    const std::string whose = s.remote ? (p_.cores > 1 ? " there" : " here, as remote") : "";
    switch (s.kind) {
      case Kind::kStart:
        return fmt::format("start {} -> {}{} on {}{}", view(s.from, s), view(s.to, s), whose, counter(s.on),
                           s.remote ? ", sends " + counter(s.sends) : "");
      case Kind::kAwait: return fmt::format("await {} half rows on {}", s.half ? s.rows : 2 * s.rows, counter(s.on));
      case Kind::kWait: return fmt::format("wait {} on {}", s.amount, counter(s.on));
      case Kind::kSignal: return fmt::format("signal {} by {}{}", counter(s.on), s.amount, whose);
      case Kind::kMove: return fmt::format("move {} -> {}", view(s.from, s), view(s.to, s));
      case Kind::kStore: return fmt::format("store {}", view(s.to, s));
      case Kind::kLoop: return fmt::format("{} times", s.times);
      case Kind::kScope: return fmt::format("scope of m{}", s.makes);
      case Kind::kIf: break;
    }
    static const char* const kinds[] = {"flag", "core", "i <", "i >"};
    return fmt::format("if {} {}", kinds[static_cast<int>(s.condition.kind)], s.condition.value);
  }

  void all(const std::vector<Step>& steps, int depth) {
    for (const Step& s : steps) {
      text_ += fmt::format("{:4}: {:{}}{}\n", s.line, "", 2 * depth, words(s));
      all(s.body, depth + 1);
    }
  }

  const Program& p_;
  std::string text_;
};

class Flattened {
 public:
  Flattened(const Program& p, int core) : p_(p), core_(core) {}

  std::vector<Act> run() {
    all(p_.steps, 0);
    return std::move(acts_);
  }

 private:
  int other() const { return p_.cores > 1 ? 1 - core_ : core_; }

  // Which memory a view really names.
  int named(int m, bool remote) const {
    const bool scoped = p_.memories[static_cast<std::size_t>(m)].kind == Memory::Kind::kScoped;
    return scoped && (remote || !alive_.contains(m)) ? kInstead : m;
  }
  int memory(int m, int core, bool remote = false) const {
    m = named(m, remote);
    const Memory::Kind kind = p_.memories[static_cast<std::size_t>(m)].kind;
    if (kind == Memory::Kind::kScoped) return alive_.at(m);
    const bool shared = kind != Memory::Kind::kScratch && !p_.devices;
    return (shared ? 0 : core) * static_cast<int>(p_.memories.size()) + m;
  }
  int semaphore(const Counter& c, int i, int core) const {
    int number = 0;
    for (int s = 0; s < c.semaphore; ++s) number += p_.semaphores[static_cast<std::size_t>(s)].slots;
    int all = 0;
    for (const Semaphore& s : p_.semaphores) all += s.slots;
    return core * all + number + c.slot.at(i, p_.semaphores[static_cast<std::size_t>(c.semaphore)].slots);
  }
  bool bytes(const Counter& c) const { return p_.semaphores[static_cast<std::size_t>(c.semaphore)].bytes; }

  // A bit a cell, slot after slot.
  std::uint64_t cells(const View& v, const Step& s, int i, bool remote = false) const {
    const int slot = v.slot.at(i, p_.memories[static_cast<std::size_t>(named(v.memory, remote))].slots);
    std::uint64_t bits = 0;
    for (int r = 0; r < s.rows; ++r) {
      const int row = v.row.at(i, room(v.comb, s.rows)) + (v.comb ? 2 : 1) * r;
      for (int c = 0; c < kWidth / kCell; ++c)
        if (!s.half || (c == 1) == v.right) bits |= std::uint64_t{1} << (slot * kRows * 2 + row * 2 + c);
    }
    return bits;
  }

  bool holds(const Condition& c, int i) const {
    switch (c.kind) {
      case Condition::Kind::kFlag: return p_.flags[static_cast<std::size_t>(c.value)];
      case Condition::Kind::kCore: return core_ == c.value;
      case Condition::Kind::kBefore: return i < c.value;
      case Condition::Kind::kAfter: return i > c.value;
    }
    return false;
  }

  void all(const std::vector<Step>& steps, int i) {
    for (const Step& s : steps) one(s, i);
  }

  // Numbers of memories that scopes make come behind those of all cores' others.
  void scope(const Step& s, int i) {
    const auto before = alive_;
    alive_[s.makes] = static_cast<int>(p_.memories.size()) * p_.cores + made_++ * p_.cores + core_;
    all(s.body, i);
    alive_ = before;
  }

  void one(const Step& s, int i) {
    const std::int64_t brings = bytes(s.on) ? (s.half ? 32 : 64) * s.rows : 1;
    Act act;
    act.kind = s.kind, act.line = s.line;
    switch (s.kind) {
      case Kind::kLoop:
        for (int k = 0; k < s.times; ++k) all(s.body, k);
        return;
      case Kind::kIf:
        if (holds(s.condition, i)) all(s.body, i);
        return;
      case Kind::kScope: scope(s, i); return;
      case Kind::kStart:
        act.from = memory(s.from.memory, core_), act.from_cells = cells(s.from, s, i);
        act.to = memory(s.to.memory, s.remote ? other() : core_, s.remote), act.to_cells = cells(s.to, s, i, s.remote);
        act.semaphore = semaphore(s.on, i, s.remote ? other() : core_), act.amount = brings;
        if (s.remote) act.sends = semaphore(s.sends, i, core_);
        break;
      case Kind::kAwait: act.kind = Kind::kWait, act.semaphore = semaphore(s.on, i, core_), act.amount = brings; break;
      case Kind::kWait: act.semaphore = semaphore(s.on, i, core_), act.amount = s.amount; break;
      case Kind::kSignal: act.semaphore = semaphore(s.on, i, s.remote ? other() : core_), act.amount = s.amount; break;
      case Kind::kMove:
        act.from = memory(s.from.memory, core_), act.from_cells = cells(s.from, s, i);
        acts_.push_back(act);
        act.kind = Kind::kStore;
        [[fallthrough]];
      case Kind::kStore: act.to = memory(s.to.memory, core_), act.to_cells = cells(s.to, s, i); break;
    }
    acts_.push_back(act);
  }

  const Program& p_;
  const int core_;
  std::map<int, int> alive_;  // scoped memories, and their numbers
  int made_ = 0;
  std::vector<Act> acts_;
};

}  // namespace

std::string to_string(const Program& program) { return Text(program).run(); }

std::size_t count(const std::vector<Step>& steps) {
  std::size_t n = 0;
  for_each(steps, [&](const Step&) { ++n; });
  return n;
}

std::size_t count(const std::vector<Step>& steps, Step::Kind kind) {
  std::size_t n = 0;
  for_each(steps, [&](const Step& s) { n += s.kind == kind; });
  return n;
}

std::vector<Act> acts_of(const Program& program, int core) { return Flattened(program, core).run(); }

std::vector<bool> counts_bytes(const Program& program) {
  std::vector<bool> bytes;
  for (int core = 0; core < program.cores; ++core)
    for (const Semaphore& s : program.semaphores) bytes.insert(bytes.end(), static_cast<std::size_t>(s.slots), s.bytes);
  return bytes;
}

}  // namespace millrace::programs
