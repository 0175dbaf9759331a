// SPDX-License-Identifier: Apache-2.0
// Views at run time, and what happens where one leaves its memory.
#include <fmt/format.h>

#include "machine/run.h"
#include "millrace/error.h"

namespace millrace::machine {

void Core::outside(const char* id, const View& v, event::PlaceId at) {
  std::string box, extent;
  for (int d = 0; d < v.rank; ++d) box += fmt::format("{}{}:{}", d ? ", " : "", v.start[d], v.start[d] + v.size[d]);
  const std::string& name = v.memory->name;
  if (v.strides != v.memory->strides.data())
    throw Stop{{id,
                fmt::format("[{}] of a reshaped view of {} leaves that view, or the view leaves {}", box, name, name),
                at}};
  for (std::int64_t n : v.memory->shape) extent += fmt::format("{}{}", extent.empty() ? "" : ", ", n);
  throw Stop{{id, fmt::format("{}[{}] leaves {}, which has the shape ({})", name, box, name, extent), at}};
}

void Core::view(const program::ViewPlan& plan, bool padding, const char* id, event::PlaceId at, View& v, Core& owner) {
  Memory* memory = owner.memories_[plan.memory];
  if (!memory)
    throw Stop{{id,
                fmt::format("core {} of device {} has no {} now: it has not begun its scope, or has left it",
                            owner.core_, owner.device_, program_.memories[plan.memory].name),
                at}};
  if (resolve(plan, memory, frame_.data(), padding, v) == Fit::kOutside) outside(id, v, at);
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

void Core::view(const program::MemoryAccess& access, event::PlaceId at, View& v) {
  if (resolve(access, memories_[access.view.memory], frame_.data(), v) != Fit::kInside) outside("bounds.access", v, at);
}

SemaphoreRef Core::semaphore(const program::ViewPlan& plan, event::PlaceId at, Core& owner) {
  View v;
  view(plan, false, "bounds.access", at, v, owner);
  return {v.memory, static_cast<std::uint32_t>(first_element(v))};
}

void Core::tell_access(const View& v, event::AccessKind kind, event::PlaceId at) {
  event::End end = end_of(v);
  tell_(event::Access{self(), end.memory, end.box, kind, at, std::move(end.more)});
}

void Core::issue(std::optional<event::WindowMove> window, event::PlaceId at) {
  event::DmaId id = transfers_.issue(self(), std::move(window), at);
  if (request_.choice->moment() == Choice::Moment::kWhenIssued) transfers_.finish(id);
}

}  // namespace millrace::machine
