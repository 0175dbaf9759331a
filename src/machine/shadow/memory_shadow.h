// SPDX-License-Identifier: Apache-2.0
// The labels of a memory's elements. Most memories are all alike most of the time: that costs one number. Else they are
// kept by the chunk, and by the element only in chunks that are not all alike.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "machine/shadow/labels.h"

namespace millrace::machine::shadow {

class MemoryShadow {
 public:
  MemoryShadow(std::int64_t count, Label all) : count_(count), all_(all) {}

  bool defined() const { return chunks_.empty() ? all_ == kDefined : undefined_ == 0; }
  bool defined(std::int64_t begin, std::int64_t end) const;
  void fill(Label all);
  void set(std::int64_t begin, std::int64_t end, Label label);
  // What bears the one label there bears the other.
  void relabel(std::int64_t begin, std::int64_t end, Label from, Label to);
  Label at(std::int64_t element) const;
  // Calls f(begin, end, label) for pieces of one label, in order; neighbours may have the same.
  template <class F>
  void for_each_run(std::int64_t begin, std::int64_t end, const F& f) const;

 private:
  static constexpr std::int64_t kChunk = 64;
  static constexpr std::uint32_t kSplit = 0x80000000;  // the rest is an index into split_
  using Split = std::array<Label, kChunk>;

  void materialize();
  void assign(std::size_t chunk, Label label);
  void set_part(std::size_t chunk, std::int64_t begin, std::int64_t end, Label label);
  std::int64_t end_of(std::size_t chunk) const {
    return std::min(count_, (static_cast<std::int64_t>(chunk) + 1) * kChunk);
  }
  const Split& split(std::uint32_t entry) const { return split_[entry & ~kSplit]; }

  std::int64_t count_;
  Label all_;                          // where chunks_ is empty
  std::vector<std::uint32_t> chunks_;  // a label, or kSplit
  std::vector<Split> split_;
  std::vector<std::uint32_t> spare_;
  std::int64_t undefined_ = 0;  // chunks that are not all defined
};

template <class F>
void MemoryShadow::for_each_run(std::int64_t begin, std::int64_t end, const F& f) const {
  if (begin >= end) return;
  if (chunks_.empty()) return f(begin, end, all_);
  for (std::int64_t at = begin; at < end;) {
    const auto chunk = static_cast<std::size_t>(at / kChunk);
    const std::int64_t stop = std::min(end, end_of(chunk));
    const std::uint32_t entry = chunks_[chunk];
    if ((entry & kSplit) == 0) {
      f(at, stop, entry);
      at = stop;
      continue;
    }
    const Split& labels = split(entry);
    while (at < stop) {
      const std::int64_t first = at;
      const Label label = labels[static_cast<std::size_t>(at % kChunk)];
      while (at < stop && labels[static_cast<std::size_t>(at % kChunk)] == label) ++at;
      f(first, at, label);
    }
  }
}

}  // namespace millrace::machine::shadow
