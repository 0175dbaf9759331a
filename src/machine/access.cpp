// SPDX-License-Identifier: Apache-2.0
// Views at run time, and what happens where one leaves its memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "machine/run.h"
#include "millrace/error.h"

namespace millrace::machine {

void Core::outside(const char* id, const char* access, const View& v, event::PlaceId at) {
  Fault fault{id, "", at, operand_of(*v.memory), access};
  std::string text;
  for (int d = 0; d < v.rank; ++d) {
    const std::int64_t step = std::max<std::int64_t>(v.step[d], 1), last = v.start[d] + (v.size[d] - 1) * step + 1;
    fault.box.push_back({v.start[d], last, step});
    text += fmt::format("{}{}:{}{}", d ? ", " : "", v.start[d], last, step > 1 ? fmt::format(":{}", step) : "");
  }
  const std::string& name = fault.memory;
  if (v.strides != v.memory->strides.data()) {
    fault.message =
        fmt::format("[{}] of a reshaped view of {} leaves that view, or the view leaves {}", text, name, name);
  } else {
    fault.extent = v.memory->shape;
    fault.message =
        fmt::format("{}[{}] leaves {}, which has the shape ({})", name, text, name, fmt::join(fault.extent, ", "));
  }
  throw Stop{std::move(fault)};
}

// A window's buffers go by the operand that they show.
const std::string& Core::operand_of(const Memory& memory) const {
  for (std::size_t w = 0; w < windows_.size(); ++w)
    for (const auto& buffer : windows_[w].buffers)
      if (buffer.get() == &memory) return program_.windows[w].name;
  return memory.name;
}

void Core::view(const program::ViewPlan& plan, bool padding, const char* id, const char* access, event::PlaceId at,
                View& v, Core& owner) {
  Memory* memory = owner.memories_[plan.memory];
  if (!memory) {
    const std::string& name = program_.memories[plan.memory].name;
    throw Stop{{id,
                fmt::format("core {} of device {} has no {} now: it has not begun its scope, or has left it",
                            owner.core_, owner.device_, name),
                at, name, access}};
  }
  if (resolve(plan, memory, frame_.data(), padding, v) == Fit::kOutside) outside(id, access, v, at);
}

// The core that an instruction names; this one where it names none.
Core& Core::peer(program::Slot device, program::Slot core, event::PlaceId at) {
  if (device == program::kNoSlot && core == program::kNoSlot) return *this;
  const auto number = [&](program::Slot slot, int own, int count, const char* what) {
    const std::int64_t n = slot == program::kNoSlot ? own : i32(slot);
    if (n >= 0 && n < count) return n;
    throw Error(ErrorCode::kUser,
                fmt::format("{}: {} {} is named, but there {} {} (--{}s): take 0 to {}", program_.places[at].where,
                            what, n, count == 1 ? "is" : "are", count, what, count - 1));
  };
  const std::int64_t d = number(device, device_, program_.devices, "device");
  return run_.core(d, number(core, core_, program_.cores, "core"));
}

void Core::view(const program::MemoryAccess& access, event::AccessKind kind, event::PlaceId at, View& v) {
  if (resolve(access, memories_[access.view.memory], frame_.data(), v) != Fit::kInside)
    outside("bounds.access", kind == event::AccessKind::kRead ? "core read" : "core write", v, at);
}

// A signal and a wait both change the count.
SemaphoreRef Core::semaphore(const Located& quick, const program::ViewPlan& plan, event::PlaceId at, Core& owner) {
  if (!owner.memories_[plan.memory]) owner.allocate_early(plan.memory);
  if (Memory* memory = owner.memories_[plan.memory]; memory && quick.known)
    if (const std::int64_t element = quick.find(frame_.data()); element != Located::kOutside)
      return {memory, static_cast<std::uint32_t>(element)};
  View v;
  view(plan, false, "bounds.access", "core write", at, v, owner);
  return {v.memory, static_cast<std::uint32_t>(first_element(v))};
}

void Core::tell_access(const View& v, event::AccessKind kind, event::PlaceId at) {
  event::End end = end_of(v);
  tell_(event::Access{self(), end.memory, end.box, kind, at, std::move(end.more)});
}

void Core::tell_access(const Memory& memory, event::AccessKind kind, event::PlaceId at) {
  access_.memory = memory.id, access_.kind = kind, access_.at = at;
  tell_(access_);
}

void Core::issue(std::optional<event::WindowMove> window, event::PlaceId at) {
  event::DmaId id = transfers_.issue(self(), std::move(window), at);
  if (request_.choice->moment() == Choice::Moment::kWhenIssued) transfers_.finish(id);
}

}  // namespace millrace::machine
