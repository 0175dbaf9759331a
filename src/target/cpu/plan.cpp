// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "machine/tile/tile.h"
#include "millrace/error.h"

namespace millrace::cpu {

using program::Instruction;
using program::kNoSlot;
using program::Op;
using program::Program;
using program::Slot;

namespace {

bool is_elementwise(Op op) { return op == Op::kUnary || op == Op::kBinary || op == Op::kBinaryScalar; }

// Loads copy into the frame again, and elementwise instructions read it there.
void take_marks_off(Program& p) {
  std::map<Slot, Slot> tile_of;  // by the slot of its address
  for (Instruction& i : p.code) {
    if (i.op == Op::kLoad && i.small == 1) tile_of[i.a] = i.dst, i.a = kNoSlot, i.small = 0;
    if (i.op == Op::kStore) i.small = 0;
  }
  for (Instruction& i : p.code) {
    if (!is_elementwise(i.op)) continue;
    if (i.small & 1) i.a = tile_of.at(i.a);
    if (i.small & 2) i.b = tile_of.at(i.b);
    i.small = 0;
  }
}

void find_roots(Plan& plan) {
  const Program& p = plan.program;
  const auto array = [&](std::uint32_t slot) { return p.memories[slot].same_as.value_or(slot); };
  for (std::uint32_t s = 0; s < p.memories.size(); ++s) plan.root.push_back(array(s));
  for (const program::Window& w : p.windows) plan.root[w.memory] = array(w.operand);
}

void find_written(Plan& plan) {
  const Program& p = plan.program;
  plan.written.assign(p.memories.size(), false);
  for (const Instruction& i : p.code) {
    if (i.op == Op::kStore) plan.written[p.accesses[i.aux].view.memory] = true;
    if (i.op == Op::kDmaStart) plan.written[p.dmas[i.aux].target.memory] = true;
  }
}

// Whether another name for the window's array is one that the kernel writes, or reads, by itself.
std::string shared_with(const Plan& plan, const program::Window& w) {
  const Program& p = plan.program;
  for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
    if (s == w.memory || s == w.operand || plan.root[s] != plan.root[w.memory]) continue;
    bool is_window = false, is_staged_array = false;
    for (const program::Window& o : p.windows) is_window |= o.memory == s, is_staged_array |= o.operand == s;
    if (is_staged_array) continue;
    if (!is_window) return fmt::format("the kernel also names {} itself", p.memories[s].name);
    if (w.input && plan.written[s]) return fmt::format("the kernel writes the same array as {}", p.memories[s].name);
  }
  return {};
}

void find_shown(Plan& plan) {
  for (const program::Window& w : plan.program.windows) {
    bool whole = !w.elements;
    for (std::size_t d = 0; d < w.block.size(); ++d) whole &= w.block[d] > 0 && w.array[d] % w.block[d] == 0;
    std::string why = plan.copies ? "explicit copies were asked for" : shared_with(plan, w);
    if (why.empty() && w.input && plan.written[w.memory]) why = "the body writes into it, which its array must not see";
    plan.shown.push_back(!why.empty() ? Shown::kBuffer : whole ? Shown::kView : Shown::kWithinArray);
    if (why.empty() && !whole) why = "blocks may stick out of the array";
    plan.why.push_back(std::move(why));
  }
}

// Places in the frame that are read before anything is written there.
void find_carried(Plan& plan) {
  const auto carry = [&](Slot slot, std::uint64_t bytes) {
    plan.carry.push_back(slot), plan.carry_bytes.push_back(bytes);
  };
  for (const Instruction& i : plan.program.code) {
    if (i.op == Op::kSeed) carry(i.dst, 8);
    if (i.op == Op::kRandomBits) carry(i.a, 8);
    if (i.op == Op::kMatmul && i.c == i.dst) {
      const program::Contraction& c = plan.program.contractions[i.aux];
      carry(i.dst, static_cast<std::uint64_t>(c.batch * c.rows * c.columns) * tile::size_in_bytes(c.out));
    }
  }
}

bool is_array(const Program& p, std::uint32_t memory) {
  const auto binding = p.memories[memory].binding;
  return p.memories[memory].kind == event::MemoryKind::kHbm &&
         (binding == program::MemorySlot::Binding::kInput || binding == program::MemorySlot::Binding::kOutput);
}

}  // namespace

bool touches_arrays(const Program& p) {
  return std::ranges::any_of(p.code, [&](const Instruction& i) {
    return (i.op == Op::kLoad || i.op == Op::kStore) && is_array(p, p.accesses[i.aux].view.memory);
  });
}

bool blocks_in_place_are_safe(const Program& p) {
  if (!p.aliases.empty()) return !touches_arrays(p);
  std::set<std::uint32_t> direct, moved;
  for (const Instruction& i : p.code) {
    if (i.op == Op::kDmaStart) moved.insert({p.dmas[i.aux].source.memory, p.dmas[i.aux].target.memory});
    if (i.op != Op::kLoad && i.op != Op::kStore) continue;
    const std::uint32_t memory = p.accesses[i.aux].view.memory;
    if (!is_array(p, memory)) continue;
    if (i.op == Op::kStore && p.memories[memory].binding == program::MemorySlot::Binding::kInput) return false;
    direct.insert(memory);
  }
  return std::ranges::none_of(direct, [&](std::uint32_t m) { return moved.contains(m); });
}

void make_plan(const Program& program, std::vector<program::OperandSpec> inputs,
               std::vector<program::OperandSpec> outputs, bool copies, Plan& plan) {
  const auto reads = std::ranges::find(program.code, Op::kReadSemaphore, &Instruction::op);
  const bool reads_counts = reads != program.code.end();
  plan.several = program.devices * program.cores > 1;
  if (plan.several && reads_counts)
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: the kernel reads the count of a semaphore; on several cores that depends on time, "
                            "which the CPU target does not take part in: it runs such a kernel on one core",
                            program.places[reads->place].where));
  plan.program = program;
  plan.copies = copies;
  plan.asynchronous = copies && !reads_counts;
  take_marks_off(plan.program);
  plan.linked = machine::link(plan.program);
  plan.inputs = std::move(inputs), plan.outputs = std::move(outputs);
  find_roots(plan);
  find_written(plan);
  find_shown(plan);
  find_carried(plan);
}

}  // namespace millrace::cpu
