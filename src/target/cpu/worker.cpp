// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/worker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "machine/untouched.h"
#include "millrace/error.h"

namespace millrace::cpu {

using program::Instruction;
using program::MemorySlot;
using program::Op;

namespace {

constexpr std::align_val_t kLine{64};

void lay_down(const program::Constant& c, std::byte* to) {
  for (std::uint64_t k = 0; k < c.count; ++k) std::memcpy(to + k * c.data.size(), c.data.data(), c.data.size());
}

}  // namespace

void settle_stores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

Bytes::Bytes(std::size_t size)
    : data_(static_cast<std::byte*>(::operator new(std::max<std::size_t>(size, 64), kLine))), size_(size) {}

Bytes::~Bytes() {
  if (data_) ::operator delete(data_, kLine);
}

Worker::Worker(const Plan& plan, Seat seat)
    : plan_(plan),
      seat_(seat),
      program_(plan.program),
      frame_bytes_(std::size_t{8} * program_.frame_units),
      frame_(reinterpret_cast<std::uint64_t*>(frame_bytes_.data())),
      memories_(program_.memories.size()),
      storage_(program_.memories.size()),
      places_(program_.memories.size()),
      windows_(program_.windows.size()),
      point_(program_.grid.size(), 0) {
  std::memset(frame_bytes_.data(), 0, frame_bytes_.size());
  for (const program::Constant& c : program_.constants) lay_down(c, at(c.slot));
  if (program_.device_slot != program::kNoSlot) frame_[program_.device_slot] = static_cast<std::uint32_t>(seat.device);
  native_ = {frame_, places_.data(), &Worker::execute, 0, this};
  if (plan.copies) copies_ = std::make_unique<Copies>();
}

void Worker::bind(const std::vector<std::byte*>& arrays) {
  for (std::uint32_t s = 0; s < program_.memories.size(); ++s) {
    const MemorySlot& slot = program_.memories[s];
    std::byte* array = arrays[plan_.root[s]];
    if (slot.binding == MemorySlot::Binding::kScratch ||
        (plan_.several && slot.binding == MemorySlot::Binding::kScoped)) {
      allocate(s);  // of several cores, others may raise a semaphore whose scope this one has not begun
    } else if (slot.binding == MemorySlot::Binding::kInput && slot.kind != event::MemoryKind::kHbm) {
      allocate(s);  // scalars that come with the call lie in fast memory, a thread's own
      std::memcpy(storage_[s].data(), arrays[s], storage_[s].size());
    } else if (array) {
      if (!memories_[s]) memories_[s] = machine::Memory::at(slot, array);
      memories_[s]->move_to(array);
    }
    if (memories_[s]) show(s);
  }
  for (std::size_t k = 0; k < plan_.carry.size(); ++k) std::memset(at(plan_.carry[k]), 0, plan_.carry_bytes[k]);
  for (WindowState& w : windows_) w.bound = false;
  if (copies_) bind_slots();
}

// What nobody has written is poison, as in the simulator (S2.2).
void Worker::allocate(std::uint32_t s) {
  const MemorySlot& slot = program_.memories[s];
  if (slot.kind != event::MemoryKind::kSemaphore) {
    const std::size_t size = bytes_of(slot.shape, machine::bytes_in_memory(slot.element));
    if (!storage_[s].data()) storage_[s] = Bytes(size);
    machine::fill_with_poison(storage_[s].data(), size, slot.element);
  }
  if (!memories_[s]) memories_[s] = machine::Memory::at(slot, storage_[s].data());
  std::ranges::fill(memories_[s]->counts, 0);
  show(s);
}

void Worker::scope_begins(std::uint32_t s) {
  const MemorySlot& slot = program_.memories[s];
  if (!plan_.several) return allocate(s);
  if (slot.kind != event::MemoryKind::kSemaphore)
    machine::fill_with_poison(storage_[s].data(), storage_[s].size(), slot.element);
}

void Worker::show(std::uint32_t s) {
  machine::Memory& m = *memories_[s];
  if (m.kind == event::MemoryKind::kSemaphore) return;
  places_[s].base = m.write();
  std::ranges::copy(m.strides, places_[s].strides);
}

bool Worker::begin(std::int64_t first, std::int64_t last) {
  first_ = first, last_ = last;
  std::ranges::fill(point_, 0);
  for (const std::int64_t extent : program_.grid)
    if (extent == 0) return true;  // the program ends at once
  bool some = first_ < last_;
  if (some && !mine()) some = next_point();
  put_point(program_.grid_index);
  return some;
}

void Worker::run(Compiled code, std::int64_t first, std::int64_t last, Copies::Clock::time_point began) {
  deadlocked_ = false;
  if (copies_) copies_->begin(began), step_ = 0, in_body_ = false;
  if (begin(first, last)) {
    native_.maps_only = 0;
    code(&native_);
    settle_stores();
  }
  seat_.semaphores.ended();
  if (copies_) copies_->drain();
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
}

bool Worker::blocks(Compiled code, std::int64_t first, std::int64_t last) {
  if (!begin(first, last)) return false;
  native_.maps_only = 1;
  code(&native_);
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
  return true;
}

bool Worker::next_blocks(Compiled code) {
  if (!next_point()) return false;
  put_point(program_.grid_index);
  code(&native_);
  if (stopped_) std::rethrow_exception(std::exchange(stopped_, nullptr));
  return true;
}

bool Worker::step_on() {
  for (std::size_t d = point_.size(); d-- > 0;) {
    if (++point_[d] < program_.grid[d]) return true;
    point_[d] = 0;
  }
  return false;
}

bool Worker::next_point() {
  bool more = step_on();
  while (more && !mine()) more = step_on();
  return more;
}

void Worker::put_point(const std::vector<program::Slot>& slots) {
  for (std::size_t d = 0; d < point_.size(); ++d) frame_[slots[d]] = static_cast<std::uint32_t>(point_[d]);
}

bool Worker::mine() const {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < point_.size(); ++d)
    if (program_.split[d]) number = number * program_.grid[d] + point_[d];
  return first_ <= number && number < last_;
}

// No exception crosses compiled code: it is kept here, and the code returns.
std::int32_t Worker::execute(Native* native, std::uint32_t instruction) {
  Worker* const worker = native->worker;
  try {
    worker->execute(worker->program_.code[instruction]);
    return 0;
  } catch (...) {
    worker->stopped_ = std::current_exception();
    return 1;
  }
}

void Worker::execute(const Instruction& i) {
  if (copies_ && staged(i)) return;
  switch (i.op) {
    case Op::kLoad:
    case Op::kStore: return memory(i);
    case Op::kAllocate: return scope_begins(i.aux);
    case Op::kFree:  // handed over where there are several cores
      if (memories_[i.aux]) seat_.semaphores.clear(memories_[i.aux]->counts);
      return;
    case Op::kDmaStart: return dma(i);
    case Op::kDmaWait:
    case Op::kSignal:
    case Op::kWait:
    case Op::kReadSemaphore: return semaphore(i);
    case Op::kStepBegin: return bind_windows(i);
    case Op::kGridNext: {
      const bool more = next_point();
      put_point(program_.grid_next);
      frame_[i.dst] = more;
      return;
    }
    case Op::kWindowSend:
      if ((frame_[i.a] & 1) == 0 || moves_on(program_.windows[i.aux])) write_back(i.aux);
      return;
    case Op::kWindowAdvance: {
      const program::Window& w = program_.windows[i.aux];
      if (!moves_on(w)) return;
      for (std::size_t d = 0; d < w.current.size(); ++d) frame_[w.current[d]] = frame_[w.next[d]];
      windows_[i.aux].bound = false;
      return;
    }
    case Op::kAssert: {
      if ((frame_[i.a] & 1) != 0) return;
      const std::string& message = program_.messages[i.aux];
      stop("assertion.failed", message.empty() ? "an assertion fails" : "an assertion fails: " + message, i);
    }
    case Op::kWindowFetch:
    case Op::kWindowAwait:
    case Op::kWindowAwaitSent:
    case Op::kScopeBegin:
    case Op::kScopeEnd:
    case Op::kStepEnd:
    case Op::kAssume: return;
    default: return tile(i);
  }
}

void Worker::stop(const char* id, const std::string& message, const Instruction& i) const {
  throw Error(ErrorCode::kFinding, fmt::format("{}: {}: {}{}", program_.places[i.place].where, id, self(), message));
}

std::string Worker::self() const {
  std::string text;
  if (program_.devices > 1) text = fmt::format("device {}", seat_.device);
  if (program_.cores > 1) text += fmt::format("{}core {}", text.empty() ? "" : ", ", seat_.core);
  return text.empty() ? text : text + ": ";
}

void Worker::outside(const char* id, const char* access, const machine::View& v, const Instruction& i) const {
  std::vector<std::string> box;
  for (int d = 0; d < v.rank; ++d) {
    const std::int64_t step = std::max<std::int64_t>(v.step[d], 1);
    box.push_back(fmt::format("{}:{}", v.start[d], v.start[d] + (v.size[d] - 1) * step + 1));
  }
  stop(id,
       fmt::format("a {} of {}[{}] leaves it; its shape is ({})", access, v.memory->name, fmt::join(box, ", "),
                   fmt::join(v.memory->shape, ", ")),
       i);
}

}  // namespace millrace::cpu
