// SPDX-License-Identifier: Apache-2.0
#include "machine/transfers.h"

#include <algorithm>

#include "machine/copy.h"
#include "millrace/error.h"

namespace millrace::machine {

namespace {

// Then a DMA between two memories changes nothing that is known of them. Ends that were laid out before the run hold no
// tile padding.
bool all_defined(const Transfer& t) {
  return t.located && t.source.memory->shadow->defined() && t.target.memory->shadow->defined();
}

}  // namespace

Transfer& Transfers::make() {
  if (spare_.empty()) spare_.push_back(std::make_unique<Transfer>());
  spare_.back()->located = nullptr;
  return *spare_.back();
}

event::DmaId Transfers::issue(event::Agent by, std::optional<event::WindowMove> window, event::PlaceId at) {
  live_.push_back(std::move(spare_.back()));
  spare_.pop_back();
  Transfer& t = *live_.back();
  t.id = next_++;
  t.raised = t.sent = 0;
  t.stage = Transfer::Stage::kIssued;
  t.by = by, t.at = at, t.window = window.has_value();
  t.viewed = !t.located;
  const std::int64_t bytes = t.located ? t.located->bytes : bytes_of(t.target);
  bytes_ += static_cast<std::uint64_t>(bytes);
  t.amount = t.raises.memory->counts_bytes() ? bytes : 1;
  ++t.source.memory->in_flight, ++t.target.memory->in_flight, ++t.raises.memory->in_flight;
  if (t.sends.memory) ++t.sends.memory->in_flight;
  if (tell_.anyone()) tell_issued(t, std::move(window));
  if (shadow_ && !t.target.memory->shadow->defined()) shadow_->issued(t);
  return t.id;
}

void Transfers::tell_issued(const Transfer& t, std::optional<event::WindowMove> window) {
  event::DmaIssued& e = issued_;
  e.dma = t.id, e.by = t.by, e.at = t.at, e.raises = t.raises.named(), e.bytes = t.amount, e.granule = granule(t);
  if (window || e.window) e.window = std::move(window);
  e.sends.reset();
  if (t.sends.memory) e.sends = t.sends.named();
  if (t.located) {
    e.source.memory = t.source.memory->id, e.target.memory = t.target.memory->id;
    e.source.more.clear(), e.target.more.clear();
  } else {
    e.source = end_of(t.source), e.target = end_of(t.target);
  }
  tell_(e);
}

void Transfers::options(std::span<const SemaphoreRef> awaited, std::vector<Option>& out) const {
  using Kind = Option::Kind;
  for (const auto& live : live_) {
    const Transfer& t = *live;
    const bool wanted = std::any_of(awaited.begin(), awaited.end(),
                                    [&](const SemaphoreRef& s) { return s == t.raises || s == t.sends; });
    const Kind next = t.stage == Transfer::Stage::kIssued ? Kind::kRead
                      : t.stage == Transfer::Stage::kRead ? Kind::kWrite
                                                          : Kind::kSignal;
    out.push_back({next, t.id, wanted});
    if (t.raised == 0 && t.raises.memory->counts_bytes() && t.amount > granule(t) && next != Kind::kSignal)
      out.push_back({Kind::kProgress, t.id, wanted});
    if (t.sends.memory && t.sent == 0 && t.sends.memory->counts_bytes() && t.amount > granule(t) && next == Kind::kRead)
      out.push_back({Kind::kSendProgress, t.id, wanted});
  }
}

Transfer& Transfers::find(event::DmaId id) {
  auto found =
      std::lower_bound(live_.begin(), live_.end(), id, [](const auto& t, event::DmaId i) { return t->id < i; });
  if (found == live_.end() || (*found)->id != id)
    throw Error(ErrorCode::kInternal, "a choice named a DMA that is not in flight");
  return **found;
}

void Transfers::perform(const Option& option) {
  Transfer& t = find(option.dma);
  switch (option.kind) {
    case Option::Kind::kRead: read(t); break;
    case Option::Kind::kWrite: write(t); break;
    case Option::Kind::kProgress: progress(t); break;
    case Option::Kind::kSendProgress: send_progress(t); break;
    case Option::Kind::kSignal: signal(t), retire(); break;
    case Option::Kind::kCore: break;
  }
}

void Transfers::finish_all() {
  for (auto& t : live_) run_whole(*t);
  retire();
}

void Transfers::finish(event::DmaId id) {
  run_whole(find(id));
  retire();
}

bool Transfers::finish_oldest() {
  if (live_.empty()) return false;
  run_whole(*live_.front());
  spare_.push_back(std::move(live_.front()));
  live_.erase(live_.begin());
  return true;
}

// Reads into a buffer of its own: what is written later is what stood there now.
void Transfers::read(Transfer& t) {
  if (t.located) throw Error(ErrorCode::kInternal, "a DMA without views is to be read apart from its write");
  program::MemorySlot slot{"", event::MemoryKind::kVmem, t.source.element, {}, {}, 0, {}};
  for (int k = 0; k < t.source.shown; ++k) slot.shape.push_back(t.source.size[t.source.dim[k]]);
  t.held = Memory::fresh(slot);
  copy(t.source, whole_of(*t.held));
  t.stage = Transfer::Stage::kRead;
  if (tell_.anyone()) tell_(event::DmaRead{t.id});
  if (shadow_) shadow_->read(t);
  if (t.sends.memory) send(t);
}

void Transfers::write(Transfer& t) {
  copy(whole_of(*t.held), t.target);
  t.held.reset();
  t.stage = Transfer::Stage::kWritten;
  if (tell_.anyone()) tell_(event::DmaWrote{t.id});
  if (shadow_) shadow_->written(t);
}

void Transfers::progress(Transfer& t) {
  t.raised = t.amount - granule(t);
  t.raises.count() += t.raised;
  if (tell_.anyone()) tell_(event::DmaSignalled{t.id, t.raises.named(), t.raised, false});
}

void Transfers::send_progress(Transfer& t) {
  t.sent = t.amount - granule(t);
  t.sends.count() += t.sent;
  if (tell_.anyone()) tell_(event::DmaSignalled{t.id, t.sends.named(), t.sent, false});
}

void Transfers::send(Transfer& t) {
  const std::int64_t rest = t.amount - t.sent;
  t.sends.count() += rest;
  --t.sends.memory->in_flight;
  if (tell_.anyone()) tell_(event::DmaSignalled{t.id, t.sends.named(), rest, true});
}

void Transfers::signal(Transfer& t) {
  const std::int64_t rest = t.amount - t.raised;
  t.raises.count() += rest;
  t.stage = Transfer::Stage::kDone;
  --t.source.memory->in_flight, --t.target.memory->in_flight, --t.raises.memory->in_flight;
  if (tell_.anyone()) tell_(event::DmaSignalled{t.id, t.raises.named(), rest, true});
}

void Transfers::move(Transfer& t) {
  if (!t.located) return copy(t.source, t.target);
  const Runs& runs = t.located->runs;
  std::byte* target = t.target.memory->write(runs, t.to);
  copy_runs(runs, t.source.memory->read() + t.from, target);
}

// Read and write together need no buffer in between, unless both ends lie in one memory; observers see the same events.
void Transfers::run_whole(Transfer& t) {
  if (t.stage == Transfer::Stage::kIssued && t.source.memory == t.target.memory) read(t);
  if (t.stage == Transfer::Stage::kIssued) {
    move(t);
    t.stage = Transfer::Stage::kWritten;
    if (tell_.anyone()) tell_(event::DmaRead{t.id});
    if (shadow_ && !all_defined(t)) shadow_->read(t), shadow_->written(t);
    if (t.sends.memory) send(t);
    if (tell_.anyone()) tell_(event::DmaWrote{t.id});
  }
  if (t.stage == Transfer::Stage::kRead) write(t);
  if (t.stage == Transfer::Stage::kWritten) signal(t);
}

void Transfers::retire() {
  for (auto& t : live_)
    if (t->stage == Transfer::Stage::kDone) spare_.push_back(std::move(t));
  std::erase(live_, nullptr);
}

}  // namespace millrace::machine
