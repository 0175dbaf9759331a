// SPDX-License-Identifier: Apache-2.0
#include "program/steering.h"

#include <algorithm>
#include <map>
#include <set>

namespace millrace::program {

namespace {

using Sources = std::set<std::uint32_t>;  // memory slots

// No value shares its place in the frame with another, so what a place may hold is one set for the whole program. An
// operand that names no place is taken for one: at worst a memory too many.
class Flow {
 public:
  explicit Flow(const Program& p) : program_(p) {
    for (const Instruction& i : p.code)
      if (i.dst != kNoSlot) from_[i.dst];
    for (const Instruction& i : p.code)
      if (direct(i)) from_[i.a];
    for (const Constant& c : p.constants) from_[c.slot];
    while (pass()) continue;
  }

  Sources steering() {
    for (const Instruction& i : program_.code) one(i);
    for (const Window& w : program_.windows)
      for (const auto* numbers : {&w.current, &w.next})
        for (Slot s : *numbers) steer(s);
    return std::move(steering_);
  }

 private:
  static bool direct(const Instruction& i) { return i.op == Op::kLoad && i.small == 1; }

  // The value that a place lies in: the last that begins there or before.
  Sources* of(Slot slot) {
    auto after = from_.upper_bound(slot);
    return slot == kNoSlot || after == from_.begin() ? nullptr : &std::prev(after)->second;
  }

  bool pass() {
    bool changed = false;
    const auto take = [&](Slot to, const Sources& sources) {
      Sources& all = from_[to];
      const std::size_t before = all.size();
      all.insert(sources.begin(), sources.end());
      changed |= all.size() != before;
    };
    for (const Instruction& i : program_.code) {
      if (i.op == Op::kLoad) {
        const Sources memory = {program_.accesses[i.aux].view.memory};
        take(i.dst, memory);
        if (direct(i)) take(i.a, memory);
      } else if (i.dst != kNoSlot) {
        for (Slot s : {i.a, i.b, i.c})
          if (const Sources* from = of(s)) take(i.dst, Sources(*from));
      }
    }
    return changed;
  }

  void steer(Slot slot) {
    if (const Sources* from = of(slot)) steering_.insert(from->begin(), from->end());
  }
  void steer(const Sum& sum) {
    for (const Sum::Term& t : sum.terms) steer(t.slot);
  }
  void steer(const ViewPlan& plan) {
    for (const ViewDim& d : plan.dims) steer(d.start), steer(d.size_slot);
    if (plan.frame) steer(plan.frame->of);
  }

  void one(const Instruction& i) {
    switch (i.op) {
      case Op::kJumpIfFalse:
      case Op::kAssert:
      case Op::kAssume: return steer(i.a);
      case Op::kLoopTest: return steer(i.a), steer(i.b);
      case Op::kLoad:
      case Op::kStore:
        for (const Sum& sum : program_.accesses[i.aux].index) steer(sum);
        return steer(program_.accesses[i.aux].view);
      case Op::kDmaStart:
        return steer(program_.dmas[i.aux].source), steer(program_.dmas[i.aux].target),
               steer(program_.dmas[i.aux].semaphore);
      case Op::kDmaWait: return steer(program_.dma_waits[i.aux].semaphore), steer(program_.dma_waits[i.aux].target);
      case Op::kSignal:
      case Op::kWait: return steer(i.a), steer(program_.semaphores[i.aux]);
      default: return;
    }
  }

  const Program& program_;
  std::map<Slot, Sources> from_;  // by where a value begins
  Sources steering_;
};

}  // namespace

Steering steering_of(const Program& program) {
  Steering result;
  for (std::uint32_t m : Flow(program).steering()) {
    const MemorySlot& slot = program.memories[m];
    const std::string& name = slot.same_as ? program.memories[*slot.same_as].name : slot.name;
    if (std::find(result.memories.begin(), result.memories.end(), name) == result.memories.end())
      result.memories.push_back(name);
  }
  result.semaphores = std::any_of(program.code.begin(), program.code.end(),
                                  [](const Instruction& i) { return i.op == Op::kReadSemaphore; });
  return result;
}

}  // namespace millrace::program
