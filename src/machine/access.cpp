// SPDX-License-Identifier: Apache-2.0
// Views at run time, and what happens where one leaves its memory.
#include <fmt/format.h>

#include "machine/run.h"
#include "millrace/error.h"

namespace millrace::machine {

void Run::outside(const char* id, const View& v, event::PlaceId at) {
  std::string box, extent;
  for (int d = 0; d < v.rank; ++d) {
    box += fmt::format("{}{}:{}", d ? ", " : "", v.start[d], v.start[d] + v.size[d]);
    extent += fmt::format("{}{}", d ? ", " : "", v.memory->shape[static_cast<std::size_t>(d)]);
  }
  throw Stop{
      {id, fmt::format("{}[{}] leaves {}, which has the shape ({})", v.memory->name, box, v.memory->name, extent), at}};
}

void Run::view(const program::ViewPlan& plan, bool padding, const char* id, event::PlaceId at, View& v) {
  if (resolve(plan, memories_[plan.memory], frame_.data(), padding, v) == Fit::kOutside) outside(id, v, at);
}

void Run::view(const program::MemoryAccess& access, event::PlaceId at, View& v) {
  if (resolve(access, memories_[access.view.memory], frame_.data(), v) != Fit::kInside) outside("bounds.access", v, at);
}

SemaphoreRef Run::semaphore(const program::ViewPlan& plan, event::PlaceId at) {
  View v;
  view(plan, false, "bounds.access", at, v);
  std::int64_t element = 0;
  for (int d = 0; d < v.rank; ++d) element += v.start[d] * v.memory->strides[static_cast<std::size_t>(d)];
  return {v.memory, static_cast<std::uint32_t>(element)};
}

void Run::issue(bool window, event::PlaceId at) {
  event::DmaId id = transfers_.issue(core(), window, at);
  if (request_.choice->moment() == Choice::Moment::kWhenIssued) transfers_.finish(id);
}

}  // namespace millrace::machine
