// SPDX-License-Identifier: Apache-2.0
// What programs are made of, and which shape a seed has.
#include "generate.h"

#include <utility>

namespace millrace::programs {

namespace {

using Kind = Step::Kind;

// Memory 0 is an input, memory 1 an output, memory 2 has two slots; semaphore 0 counts bytes in two slots, semaphore 1
// counts by hand.
Program surroundings(Chance& chance) {
  Program p;
  const int machine = chance.pick(20);
  p.cores = machine < 13 ? 1 : 2;
  p.devices = machine >= 17;
  p.memories = {{Memory::Kind::kInput, 1}, {Memory::Kind::kOutput, 1}, {Memory::Kind::kScratch, 2}};
  for (int more = chance.pick(3); more > 0; --more) p.memories.push_back({Memory::Kind::kScratch, chance.from(1, 3)});
  if (chance.one_in(3)) p.memories.push_back({Memory::Kind::kScoped, chance.from(1, 2)});
  p.semaphores = {{true, 2}, {false, 1}};
  for (int more = chance.from(p.cores - 1, 2); more > 0; --more)
    p.semaphores.push_back({!chance.one_in(6), chance.from(1, 2)});
  for (bool& flag : p.flags) flag = chance.one_in(2);
  return p;
}

void number_lines(Program& p, Chance& chance) {
  const int lines = chance.one_in(6) ? 3 : 1000;  // now and then several steps stand at one place
  int n = 0;
  for_each(p.steps, [&](Step& s) { s.line = 1 + n++ % lines; });
}

// Puts all steps, or some that stand together, into the scope of the scoped memory, if there is one.
void put_into_scope(Program& p, Chance& chance) {
  if (p.memories.back().kind != Memory::Kind::kScoped || p.steps.empty()) return;
  const bool all = chance.one_in(2);
  const int size = static_cast<int>(p.steps.size());
  const int begin = all ? 0 : chance.pick(size), end = all ? size : chance.from(begin + 1, size);
  Step scope;
  scope.kind = Kind::kScope, scope.makes = static_cast<int>(p.memories.size()) - 1;
  scope.body.assign(p.steps.begin() + begin, p.steps.begin() + end);
  p.steps.erase(p.steps.begin() + begin, p.steps.begin() + end);
  p.steps.insert(p.steps.begin() + begin, std::move(scope));
}

struct Spot {
  std::vector<Step>* in;
  std::size_t at;
  bool looped;
};

void collect(std::vector<Step>& steps, bool looped, std::vector<Spot>& spots) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    spots.push_back({&steps, i, looped});
    collect(steps[i].body, looped || steps[i].kind == Kind::kLoop, spots);
  }
}

void change(const Program& p, Step& s, bool looped, Chance& chance) {
  switch (s.kind) {
    case Kind::kLoop: s.times = chance.from(1, 3); return;
    case Kind::kIf: s.condition.value = chance.pick(2); return;
    case Kind::kScope: return;
    case Kind::kWait:
    case Kind::kSignal:
      if (chance.one_in(2)) return static_cast<void>(s.amount = chance.from(1, 3));
      if (p.cores > 1) s.remote = s.kind == Kind::kSignal && !s.remote;
      return;
    default: break;
  }
  switch (chance.pick(7)) {
    case 0: s.to.slot.base += 1; break;
    case 1: s.to.row.base += chance.from(1, 3); break;
    case 2: s.from.slot.base += 1; break;
    case 3: s.on.slot.base += 1; break;
    case 4: s.rows = chance.from(1, 4); break;
    case 5:
      s.on.semaphore = any_semaphore(p, chance, p.semaphores[static_cast<std::size_t>(s.on.semaphore)].bytes);
      break;
    default:
      if (looped)
        (chance.one_in(2) ? s.to.slot : s.on.slot).step = chance.pick(2);
      else
        s.half = !s.half;
  }
}

}  // namespace

View any_view(const Program&, Chance& chance, bool moves) {
  View v;
  v.slot = {chance.pick(2), moves ? chance.pick(2) : 0};
  v.row = {chance.pick(8), moves && chance.one_in(2) ? chance.from(1, 2) : 0};
  v.comb = chance.one_in(4);
  v.right = chance.one_in(2);
  return v;
}

int any_memory(const Program& p, Chance& chance, bool written, bool by_core) {
  const int first = by_core ? 2 : written ? 1 : 0;
  return chance.from(first, static_cast<int>(p.memories.size()) - 1);
}

int any_semaphore(const Program& p, Chance& chance, bool bytes) {
  std::vector<int> all;
  for (std::size_t s = 0; s < p.semaphores.size(); ++s)
    if (p.semaphores[s].bytes == bytes) all.push_back(static_cast<int>(s));
  return all[static_cast<std::size_t>(chance.pick(static_cast<int>(all.size())))];
}

void edit(Program& p, Chance& chance) {
  std::vector<Spot> spots;
  collect(p.steps, false, spots);
  if (spots.empty()) return;
  const Spot spot = spots[static_cast<std::size_t>(chance.pick(static_cast<int>(spots.size())))];
  std::vector<Step>& in = *spot.in;
  const auto here = in.begin() + static_cast<std::ptrdiff_t>(spot.at);
  switch (chance.pick(6)) {
    case 0: in.erase(here); return;
    case 1: {
      const Step again = *here;
      in.insert(here, again);
      return;
    }
    case 2:
      if (spot.at + 1 < in.size()) std::swap(in[spot.at], in[spot.at + 1]);
      return;
    default: change(p, *here, spot.looped, chance);
  }
}

Program random_program(std::uint64_t seed) {
  Chance chance(seed);
  Program p = surroundings(chance);
  const int shape = chance.pick(10);
  int edits = chance.pick(3);
  if (p.cores > 1 && shape < 7)
    p.steps = two_sided_steps(p, chance);
  else if (shape < 3)
    p.steps = any_steps(p, chance), edits = 0;
  else if (shape < 7)
    p.steps = correct_steps(p, chance);
  else
    p.steps = pipelined_steps(p, chance);
  put_into_scope(p, chance);
  number_lines(p, chance);
  for (; edits > 0; --edits) edit(p, chance);
  return p;
}

}  // namespace millrace::programs
