// SPDX-License-Identifier: Apache-2.0
#include "machine/shadow/memory_shadow.h"

namespace millrace::machine::shadow {

void MemoryShadow::fill(Label all) {
  all_ = all;
  chunks_.clear(), split_.clear(), spare_.clear();
  undefined_ = 0;
}

void MemoryShadow::materialize() {
  chunks_.assign(static_cast<std::size_t>((count_ + kChunk - 1) / kChunk), all_);
  undefined_ = all_ == kDefined ? 0 : static_cast<std::int64_t>(chunks_.size());
}

void MemoryShadow::assign(std::size_t chunk, Label label) {
  std::uint32_t& entry = chunks_[chunk];
  if (entry == label) return;
  if (entry & kSplit) spare_.push_back(entry & ~kSplit);
  undefined_ += (label != kDefined) - (entry != kDefined);
  entry = label;
}

void MemoryShadow::set_part(std::size_t chunk, std::int64_t begin, std::int64_t end, Label label) {
  const std::uint32_t entry = chunks_[chunk];
  if (entry == label) return;
  if ((entry & kSplit) == 0) {
    if (spare_.empty()) {
      spare_.push_back(static_cast<std::uint32_t>(split_.size()));
      split_.emplace_back();
    }
    split_[spare_.back()].fill(entry);
    undefined_ += entry == kDefined;
    chunks_[chunk] = kSplit | spare_.back();
    spare_.pop_back();
  }
  Split& labels = split_[chunks_[chunk] & ~kSplit];
  const std::int64_t first = static_cast<std::int64_t>(chunk) * kChunk, last = end_of(chunk);
  std::fill(labels.begin() + (begin - first), labels.begin() + (end - first), label);
  if (end != last)
    return;  // chunks are mostly written from the front: look only at the end whether it is all alike now
  if (std::all_of(labels.begin(), labels.begin() + (last - first), [&](Label l) { return l == label; }))
    assign(chunk, label);
}

void MemoryShadow::set(std::int64_t begin, std::int64_t end, Label label) {
  if (begin >= end || (chunks_.empty() && all_ == label)) return;
  if (begin == 0 && end == count_) return fill(label);
  if (chunks_.empty()) materialize();
  for (std::int64_t at = begin; at < end;) {
    const auto chunk = static_cast<std::size_t>(at / kChunk);
    const std::int64_t stop = std::min(end, end_of(chunk));
    if (at % kChunk == 0 && stop == end_of(chunk))
      assign(chunk, label);
    else
      set_part(chunk, at, stop, label);
    at = stop;
  }
  if (undefined_ == 0) fill(kDefined);
}

void MemoryShadow::relabel(std::int64_t begin, std::int64_t end, Label from, Label to) {
  if (chunks_.empty()) return all_ == from ? set(begin, end, to) : void();
  for (std::int64_t stop = begin; begin < end; begin = stop) {
    const auto chunk = static_cast<std::size_t>(begin / kChunk);
    stop = std::min(end, end_of(chunk));
    if (chunks_[chunk] == from && begin % kChunk == 0 && stop == end_of(chunk)) assign(chunk, to);
    for (std::int64_t e = begin; chunks_[chunk] != to && e < stop;) {
      const std::int64_t first = e;
      while (e < stop && at(e) == from) ++e;
      if (e > first) set_part(chunk, first, e, to);
      while (e < stop && at(e) != from) ++e;
    }
  }
  if (undefined_ == 0) fill(kDefined);
}

Label MemoryShadow::at(std::int64_t element) const {
  if (chunks_.empty()) return all_;
  const std::uint32_t entry = chunks_[static_cast<std::size_t>(element / kChunk)];
  return (entry & kSplit) == 0 ? entry : split(entry)[static_cast<std::size_t>(element % kChunk)];
}

bool MemoryShadow::defined(std::int64_t begin, std::int64_t end) const {
  if (defined()) return true;
  bool all = true;
  for_each_run(begin, end, [&](std::int64_t, std::int64_t, Label label) { all &= label == kDefined; });
  return all;
}

}  // namespace millrace::machine::shadow
