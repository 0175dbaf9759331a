// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/frame_shadow.h"

#include <algorithm>
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
  clear(slot, labels.size());
  for (std::size_t first = 0; first < labels.size(); first += kUnit) {
    const std::size_t n = std::min(kUnit, labels.size() - first), unit = slot + first / kUnit;
    Label any = kDefined;
    for (std::size_t k = 0; k < n; ++k) any |= labels[first + k];
    if (any == kDefined) continue;
    std::copy_n(labels.begin() + first, n, labels_.get() + unit * kUnit);
    mark(unit, true);
  }
}

void FrameShadow::fill(program::Slot slot, std::size_t bytes, Label label) {
  clear(slot, bytes);
  if (label == kDefined) return;
  require_labels();
  std::fill_n(at(slot), bytes, label);
  for (std::size_t u = slot; u < slot + units(bytes); ++u) mark(u, true);
}

}  // namespace millrace::machine::shadow
