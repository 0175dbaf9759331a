// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/frame_shadow.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace millrace::machine::shadow {

bool FrameShadow::clean(program::Slot slot, std::size_t bytes) const {
  return count_ == 0 || std::memchr(dirty_.data() + slot, 1, units(bytes)) == nullptr;
}

void FrameShadow::mark(std::size_t unit, bool dirty) {
  count_ += dirty, count_ -= dirty_[unit];
  dirty_[unit] = dirty;
}

void FrameShadow::clear(program::Slot slot, std::size_t bytes) {
  if (clean(slot, bytes)) return;
  for (std::size_t u = slot; u < slot + units(bytes); ++u) {
    if (!dirty_[u]) continue;
    mark(u, false);
    std::fill_n(labels_.get() + u * kUnit, kUnit, kDefined);
  }
}

void FrameShadow::require_labels() {
  if (labels_) return;
  labels_.reset(static_cast<Label*>(std::calloc(dirty_.size() * kUnit, sizeof(Label))));
  if (!labels_) throw std::bad_alloc();
}

void FrameShadow::assign(program::Slot slot, std::span<const Label> labels) {
  require_labels();
  const auto assign_unit = [this](std::size_t unit, const Label* eight) {
    Label any = kDefined;
    for (std::size_t k = 0; k < kUnit; ++k) any |= eight[k];
    if (any == kDefined && !dirty_[unit]) return;
    Label* const to = labels_.get() + unit * kUnit;
    for (std::size_t k = 0; k < kUnit; ++k) to[k] = eight[k];  // a loop that knows its end needs no call
    mark(unit, any != kDefined);
  };
  std::size_t first = 0;
  for (; first + kUnit <= labels.size(); first += kUnit) assign_unit(slot + first / kUnit, &labels[first]);
  if (first == labels.size()) return;
  std::array<Label, kUnit> last{};
  std::copy(labels.begin() + first, labels.end(), last.begin());
  assign_unit(slot + first / kUnit, last.data());
}

void FrameShadow::fill(program::Slot slot, std::size_t bytes, Label label) {
  clear(slot, bytes);
  if (label == kDefined) return;
  require_labels();
  std::fill_n(at(slot), bytes, label);
  for (std::size_t u = slot; u < slot + units(bytes); ++u) mark(u, true);
}

}  // namespace millrace::machine::shadow
