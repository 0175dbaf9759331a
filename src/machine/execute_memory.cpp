// SPDX-License-Identifier: Apache-2.0
// Loads, stores, scopes, DMAs and semaphores.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "machine/copy.h"
#include "machine/run.h"
#include "millrace/error.h"

namespace millrace::machine {

bool Core::load(const Instruction& i) {
  const LocatedAccess& access = linked_.accesses[i.aux];
  const std::byte* tile = nullptr;
  if (const std::int64_t first = find(access.at, access_.box); first != Located::kOutside) {
    Memory& memory = *memories_[access.at.memory];
    if (told_) tell_access(memory, event::AccessKind::kRead, i.place);
    if (shadow_ && !shadow_->load_defined(memory, i, access.bytes)) {
      View v;
      view(program_.accesses[i.aux], event::AccessKind::kRead, i.place, v);
      shadow_->load(v, i);
    }
    const std::byte* from = memory.read() + first;
    if (i.small == 1 && direct_ && access.dense)
      tile = from;
    else
      copy_runs(access.runs, from, at(i.dst));
  } else {
    View v;
    view(program_.accesses[i.aux], event::AccessKind::kRead, i.place, v);
    if (told_) tell_access(v, event::AccessKind::kRead, i.place);
    if (shadow_) shadow_->load(v, i);
    if (i.small == 1 && direct_) tile = as_tile(v);
    if (!tile) machine::load(v, at(i.dst));
  }
  if (i.small == 0) return true;
  if (!tile) tile = at(i.dst);
  std::memcpy(at(i.a), &tile, sizeof tile);
  return true;
}

bool Core::store(const Instruction& i) {
  const LocatedAccess& access = linked_.accesses[i.aux];
  const Instruction* maker = i.small == 1 ? &i - 1 : nullptr;
  if (const std::int64_t first = find(access.at, access_.box); first != Located::kOutside) {
    Memory& memory = *memories_[access.at.memory];
    if (told_) tell_access(memory, event::AccessKind::kWrite, i.place);
    if (shadow_ && !shadow_->store_defined(memory, i, access.bytes)) {
      View v;
      view(program_.accesses[i.aux], event::AccessKind::kWrite, i.place, v);
      shadow_->store(v, i);
    }
    std::byte* to = memory.write(access.runs, first);
    if (maker && access.dense && compute_into(*maker, to)) return true;
    if (maker) compute(*maker, at(i.a));
    copy_runs(access.runs, at(i.a), to);
    return true;
  }
  if (maker) compute(*maker, at(i.a));
  View v;
  view(program_.accesses[i.aux], event::AccessKind::kWrite, i.place, v);
  if (told_) tell_access(v, event::AccessKind::kWrite, i.place);
  if (shadow_) shadow_->store(v, i);
  if (i.b == program::kNoSlot)
    machine::store(at(i.a), v);
  else
    store_masked(at(i.a), at(i.b), v);
  return true;
}

bool Core::allocate(const Instruction& i) {
  if (Memory* there = scoped_[i.aux].get(); there && there->early) {
    there->early = false;
    return true;
  }
  auto memory = Memory::fresh(program_.memories[i.aux]);
  run_.announce(*memory, i.place, device_, core_);
  memories_[i.aux] = memory.get();
  scoped_[i.aux] = std::move(memory);
  return true;
}

// Another core raises a semaphore whose scope this one has not begun: it keeps what it is raised by until then.
void Core::allocate_early(std::uint32_t slot) {
  const auto begins = std::find_if(program_.code.begin(), program_.code.end(), [&](const Instruction& i) {
    return i.op == program::Op::kAllocate && i.aux == slot;
  });
  if (begins == program_.code.end()) return;
  allocate(*begins);
  scoped_[slot]->early = true;
}

// Memory that a DMA still uses stays until the run is over; the kernel has lost its name for it all the same.
bool Core::free(const Instruction& i) {
  std::unique_ptr<Memory>& memory = scoped_[i.aux];
  if (!memory) return true;
  if (tell_.anyone()) tell_(event::RegionFreed{memory->id, i.place});
  if (memory->in_flight > 0) run_.linger(std::move(memory));
  memory.reset();
  memories_[i.aux] = nullptr;
  return true;
}

bool Core::start_located(const LocatedDma& dma, event::PlaceId at) {
  if (!dma.known || !direct_) return false;
  event::DmaIssued& told = transfers_.to_tell();
  const std::int64_t from = find(dma.source, told.source.box), to = find(dma.target, told.target.box);
  if (from == Located::kOutside || to == Located::kOutside || !memories_[dma.semaphore.memory]) return false;
  const std::int64_t semaphore = dma.semaphore.find(frame_.data());
  if (semaphore == Located::kOutside) return false;
  Memory *source = memories_[dma.source.memory], *target = memories_[dma.target.memory];
  if (source == target) return false;  // what is read must be kept while it is written
  Transfer& t = transfers_.make();
  t.source.memory = source, t.target.memory = target;
  t.located = &dma, t.from = from, t.to = to;
  t.raises = {memories_[dma.semaphore.memory], static_cast<std::uint32_t>(semaphore)};
  t.sends = {};
  issue({}, at);
  return true;
}

bool Core::dma_start(const Instruction& i) {
  if (start_located(linked_.dmas[i.aux], i.place)) return true;
  const program::Dma& dma = program_.dmas[i.aux];
  Transfer& t = transfers_.make();
  Core& there = peer(dma.device, dma.core, i.place);
  view(dma.source, true, "bounds.dma", "DMA read", i.place, t.source, *this);
  view(dma.target, true, "bounds.dma", "DMA write", i.place, t.target, there);
  for (int k = 0; k < t.source.shown; ++k)
    if (t.source.size[t.source.dim[k]] != t.target.size[t.target.dim[k]])
      throw Stop{{"dma.mismatch",
                  fmt::format("the DMA's source has {} elements along dimension {}, its target {}",
                              t.source.size[t.source.dim[k]], k, t.target.size[t.target.dim[k]]),
                  i.place}};
  t.raises = semaphore(linked_.dmas[i.aux].semaphore, dma.semaphore, i.place, there);
  t.sends = dma.sends ? semaphore({}, *dma.sends, i.place, *this) : SemaphoreRef{};
  if (t.sends.memory && t.sends.memory->counts_bytes() != t.raises.memory->counts_bytes())
    throw Error(ErrorCode::kUser, fmt::format("{}: the send and the receive semaphore of a copy must be of one kind",
                                              program_.places[i.place].where));
  issue({}, i.place);
  return true;
}

// Waits for the bytes of the target, whichever DMA brings them (S3.3).
bool Core::dma_wait(const Instruction& i) {
  const program::DmaWait& wait = program_.dma_waits[i.aux];
  const LocatedWait& quick = linked_.dma_waits[i.aux];
  SemaphoreRef s = semaphore(quick.semaphore, wait.semaphore, i.place, *this);
  std::int64_t amount = 1;
  if (s.memory->counts_bytes() && quick.known) {
    amount = quick.bytes;
  } else if (s.memory->counts_bytes()) {
    View target;
    resolve(wait.target, memories_[wait.target.memory], frame_.data(), true, target);
    amount = bytes_of(target);
    if (amount < 0) outside("bounds.dma", "DMA write", target, i.place);
  }
  return wait_for(s, amount, i.place);
}

bool Core::signal(const Instruction& i) {
  Core& there = peer(i.b, i.c, i.place);
  SemaphoreRef s = semaphore(linked_.semaphores[i.aux], program_.semaphores[i.aux], i.place, there);
  require_amount(i);
  s.count() += i32(i.a);
  if (tell_.anyone()) tell_(event::Signalled{self(), s.named(), i32(i.a), i.place});
  return true;
}

// An amount below zero would take from a semaphore what nobody waited for.
void Core::require_amount(const Instruction& i) const {
  if (i32(i.a) >= 0) return;
  throw Error(ErrorCode::kUser,
              fmt::format("{}: a semaphore cannot be signalled or awaited by {}; amounts are 0 or more",
                          program_.places[i.place].where, i32(i.a)));
}

bool Core::wait(const Instruction& i) {
  require_amount(i);
  return wait_for(semaphore(linked_.semaphores[i.aux], program_.semaphores[i.aux], i.place, *this), i32(i.a), i.place);
}

bool Core::read_semaphore(const Instruction& i) {
  const SemaphoreRef s = semaphore(linked_.semaphores[i.aux], program_.semaphores[i.aux], i.place, *this);
  frame_[i.dst] = static_cast<std::uint32_t>(s.count());
  if (tell_.anyone()) tell_(event::SemaphoreRead{self(), s.named(), s.count(), i.place});
  return true;
}

bool Core::scope_begin(const Instruction& i) {
  for (event::Observer* o : run_.of_scopes) o->on(event::ScopeBegan{self(), program_.scope_names[i.aux]});
  return true;
}

bool Core::scope_end(const Instruction&) {
  for (event::Observer* o : run_.of_scopes) o->on(event::ScopeEnded{self()});
  return true;
}

// What the compiler would have relied on; here nothing does, so the run goes on (S6.5).
bool Core::assume(const Instruction& i) {
  if (i32(i.a) % static_cast<std::int32_t>(i.n) == 0) return true;
  auto& warnings = run_.outcome.warnings;
  if (std::any_of(warnings.begin(), warnings.end(), [&](const Fault& w) { return w.at == i.place; })) return true;
  warnings.push_back({"target.assumption",
                      fmt::format("the kernel promises a multiple of {}, but the value is {}", i.n, i32(i.a)),
                      i.place});
  return true;
}

bool Core::check(const Instruction& i) {
  if ((frame_[i.a] & 1) != 0) return true;
  const std::string& message = program_.messages[i.aux];
  throw Stop{{"assertion.failed", message.empty() ? "an assertion fails" : "an assertion fails: " + message, i.place}};
}

}  // namespace millrace::machine
