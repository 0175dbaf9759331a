// SPDX-License-Identifier: Apache-2.0
#include "event/stream_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace millrace::event {

namespace {

std::string say(const Agent& a) {
  return a.dma ? fmt::format("dma{}", *a.dma) : fmt::format("core{}.{}", a.device, a.core);
}

std::string say(const Semaphore& s) { return fmt::format("m{}[{}]", s.memory, s.element); }

std::string say(MemoryId memory, const Box& box, const std::vector<Box>& more) {
  std::string text = fmt::format("m{}{}", memory, to_string(box));
  for (const Box& b : more) text += "+" + to_string(b);
  return text;
}

std::string say(const std::optional<WindowMove>& w) {
  return w ? fmt::format(" window {} ({})", w->window, fmt::join(w->block, ", ")) : "";
}

std::string say(const End& e) { return say(e.memory, e.box, e.more); }

}  // namespace

void StreamText::on(const RegionAllocated& e) {
  text_ += fmt::format("alloc m{} {} kind={} {}{} @{}\n", e.memory, e.name, static_cast<int>(e.kind), name_of(e.dtype),
                       millrace::to_string(e.shape), e.at);
}
void StreamText::on(const RegionFreed& e) { text_ += fmt::format("free m{} @{}\n", e.memory, e.at); }
void StreamText::on(const Access& e) {
  text_ += fmt::format("{} {} {} @{}\n", e.kind == AccessKind::kRead ? "read" : "write", say(e.who),
                       say(e.memory, e.box, e.more), e.at);
}
void StreamText::on(const DmaIssued& e) {
  text_ += fmt::format("issue dma{} by {} {} -> {} raises {} by {}{} @{}\n", e.dma, say(e.by), say(e.source),
                       say(e.target), say(e.raises), e.bytes, say(e.window), e.at);
}
void StreamText::on(const DmaRead& e) { text_ += fmt::format("dma{} read\n", e.dma); }
void StreamText::on(const DmaWrote& e) { text_ += fmt::format("dma{} wrote\n", e.dma); }
void StreamText::on(const DmaSignalled& e) {
  text_ += fmt::format("dma{} signals {} by {}{}\n", e.dma, say(e.semaphore), e.amount, e.last ? " last" : "");
}
void StreamText::on(const Signalled& e) {
  text_ += fmt::format("signal {} {} by {} @{}\n", say(e.who), say(e.semaphore), e.amount, e.at);
}
void StreamText::on(const SemaphoreRead& e) {
  text_ += fmt::format("{} reads {} as {} @{}\n", say(e.who), say(e.semaphore), e.value, e.at);
}
void StreamText::on(const Waited& e) {
  text_ += fmt::format("waited {} {} for {} @{}\n", say(e.who), say(e.semaphore), e.amount, e.at);
}
void StreamText::on(const Blocked& e) {
  text_ += fmt::format("blocked {} {} has {} needs {} @{}\n", say(e.who), say(e.semaphore), e.has, e.needs, e.at);
}
void StreamText::on(const WindowBound& e) {
  text_ += fmt::format("window {} is {} of m{} in m{}\n", e.window, e.name, e.array, fmt::join(e.slots, ", m"));
}
void StreamText::on(const WindowEntered& e) {
  text_ += fmt::format("window {} shows ({}) in slot {}\n", e.window, fmt::join(e.block, ", "), e.slot);
}
void StreamText::on(const StepBegan& e) { text_ += fmt::format("step ({})\n", fmt::join(e.index, ", ")); }
void StreamText::on(const StepEnded&) { text_ += "step ends\n"; }
void StreamText::on(const ScopeBegan& e) { text_ += fmt::format("scope {}\n", e.name); }
void StreamText::on(const ScopeEnded&) { text_ += "scope ends\n"; }
void StreamText::on(const UndefinedRead& e) {
  text_ += fmt::format("undefined {} {} {} {} @{}\n", e.origin, e.padding ? "padding" : "unwritten", say(e.who),
                       say(e.memory, e.boxes.front(), {e.boxes.begin() + 1, e.boxes.end()}), e.at);
}
void StreamText::on(const UndefinedUsed& e) {
  text_ += fmt::format("undefined use {} {}", static_cast<int>(e.use), say(e.who));
  if (!e.boxes.empty()) text_ += " " + say(e.memory, e.boxes.front(), {e.boxes.begin() + 1, e.boxes.end()}) + " from";
  for (const UndefinedSource& s : e.sources)
    text_ += fmt::format(" {}{}", s.origin, s.folded_at ? fmt::format(" folded @{}", *s.folded_at) : "");
  text_ += fmt::format(" @{}\n", e.at);
}
void StreamText::on(const NeverWritten& e) {
  text_ += fmt::format("never written {}\n", say(e.memory, e.boxes.front(), {e.boxes.begin() + 1, e.boxes.end()}));
}
void StreamText::on(const KernelEnded&) { text_ += "kernel ends\n"; }

}  // namespace millrace::event
