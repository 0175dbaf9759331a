// SPDX-License-Identifier: Apache-2.0
// What is known of an element's definedness, in one number: defined, or which reads took what made it undefined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "event/event.h"

namespace millrace::machine::shadow {

using Label = std::uint32_t;
inline constexpr Label kDefined = 0;
// Elements of memories that no read has taken yet. A value in the frame never has these three.
inline constexpr Label kUnwritten = 1;
inline constexpr Label kPadding = 2;  // beyond the edge of a window's array
// A DMA is about to write what nobody has written. Whoever takes it races with that DMA, which is the finding: of this
// source nobody is told (no UndefinedRead), only of its uses, by which it is known that a core went astray.
inline constexpr Label kInFlight = 3;
inline constexpr Label kFirstSet = 4;

// Sets of reads. Reads of one place and memory are one cause, of which a set keeps the earliest: so sets stay small
// however long a kernel adds up what is undefined.
class Labels {
 public:
  // A new read, and the label of what it took. Of one place and memory no more than kMost are told apart: then it is
  // the last of them again.
  struct Origin {
    Label label;
    std::optional<event::OriginId> fresh;  // the number under which to tell it
  };
  static constexpr std::uint32_t kMost = 1 << 16;
  Origin origin(event::PlaceId at, const std::string& memory, bool padding);
  Label join(Label a, Label b) {
    if (a == b || b == kDefined) return a;
    return a == kDefined ? b : join_sets(a, b);
  }
  // The same reads; those of padding have now been through a reduction or contraction at this place. The first counts.
  Label folded(Label label, event::PlaceId at);
  std::span<const event::UndefinedSource> sources(Label label) const;

 private:
  using Key = std::tuple<event::PlaceId, std::uint32_t, bool, event::PlaceId>;  // place, memory, padding, folded at
  using Set = std::vector<std::uint32_t>;                                       // of members, ascending
  struct Member {
    event::UndefinedSource source;
    Key key;
  };
  std::uint32_t member(const event::UndefinedSource& source, const Key& key);
  Label join_sets(Label a, Label b);
  Label interned(Set set);
  const Set& set(Label label) const { return *sets_[label - kFirstSet]; }

  std::vector<Member> members_;
  std::map<std::pair<event::OriginId, Key>, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t> memories_;
  std::map<Set, Label> labels_;
  std::vector<const Set*> sets_;  // keys of labels_
  std::vector<std::vector<event::UndefinedSource>> told_;
  std::unordered_map<std::uint64_t, Label> joined_, folded_;  // looked up, never walked
  struct Count {
    std::uint32_t reads = 0;
    Label last = kDefined;
  };
  std::map<Key, Count> counts_;
  event::OriginId origins_ = 0;
};

}  // namespace millrace::machine::shadow
