// SPDX-License-Identifier: Apache-2.0
// A reshaped view steps through its memory in strides of its own. To say which elements these are, each of its loops is
// laid along the memory's dimensions, as a number is written in digits: it runs within one, or sweeps it whole and
// carries into the next. A loop that does neither is cut where it wraps.
#include "machine/frame_box.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"

namespace millrace::machine {

namespace {

constexpr std::size_t kMostBoxes = 64;

struct Loop {
  std::int64_t count, stride;
};

struct Part {  // of the view
  std::int64_t base = 0;
  std::vector<Loop> loops;
};

struct Cut {  // a loop is not laid along the memory: its first `count` rounds might be
  std::size_t loop;
  std::int64_t count;
};

// Longest strides first; a loop that goes on where the next ends is one with it.
void merge(std::vector<Loop>& loops) {
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.stride > b.stride; });
  for (std::size_t i = loops.size(); i-- > 1;) {
    if (loops[i - 1].stride != loops[i].count * loops[i].stride) continue;
    loops[i - 1] = {loops[i - 1].count * loops[i].count, loops[i].stride};
    loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

class Laying {
 public:
  Laying(const Memory& memory, const Part& part) : memory_(memory) {
    box_.rank = static_cast<int>(memory.shape.size());
    for (std::size_t d = 0; d < memory.shape.size(); ++d) {
      const std::int64_t digit = part.base / memory.strides[d] % std::max<std::int64_t>(memory.shape[d], 1);
      box_.ranges[d] = {digit, digit + 1, 1};
    }
  }

  // Lays one loop; or says after how many of its rounds it should be cut.
  std::optional<std::int64_t> lay(Loop loop) {
    std::int64_t rounds = 1;  // of the whole loop, in one round of what is left of it
    while (loop.count > 1) {
      std::size_t d = memory_.shape.size() - 1;
      while (d > 0 && loop.stride >= memory_.strides[d] * memory_.shape[d]) --d;
      if (used_[d] || loop.stride % memory_.strides[d] != 0) return rounds;
      const std::int64_t extent = memory_.shape[d], step = loop.stride / memory_.strides[d];
      Range& range = box_.ranges[d];
      used_[d] = true;
      if (range.begin + (loop.count - 1) * step < extent) {
        range = {range.begin, range.begin + (loop.count - 1) * step + 1, step};
        return {};
      }
      const std::int64_t sweep = extent / step;
      const bool whole = range.begin < step && extent % step == 0;
      if (!whole) return rounds * ((extent - range.begin + step - 1) / step);
      if (loop.count % sweep != 0) return rounds * (loop.count / sweep * sweep);
      range = {range.begin, range.begin + (sweep - 1) * step + 1, step};
      loop = {loop.count / sweep, extent * memory_.strides[d]};
      rounds *= sweep;
    }
    return {};
  }

  const event::Box& box() const { return box_; }

 private:
  const Memory& memory_;
  event::Box box_;
  bool used_[event::kMaxRank] = {};
};

std::optional<Cut> lay(Part& part, const Memory& memory, std::vector<event::Box>& boxes) {
  merge(part.loops);
  Laying laying(memory, part);
  for (std::size_t i = part.loops.size(); i-- > 0;)
    if (auto count = laying.lay(part.loops[i])) return Cut{i, *count};
  boxes.push_back(laying.box());
  return {};
}

// The memory's elements of which the view takes a part: whole, as an access to a part is to all of it.
Loop split_loop(const View& v) {
  const int d = v.split_dimension;
  const std::int64_t n = v.inside[d], step = v.step[d], stride = v.strides[d];
  if (n == 0) return {0, stride};
  if (step % v.split == 0) return {step == 0 ? 1 : n, step / v.split * stride};
  return {(v.start[d] + (n - 1) * step) / v.split - v.start[d] / v.split + 1, stride};
}

Part whole_part(const View& v) {
  Part part;
  part.base = first_element(v);
  for (int d = 0; d < v.rank; ++d) {
    if (v.split > 1 && d == v.split_dimension) {
      part.loops.push_back(split_loop(v));
      continue;
    }
    if (v.inside[d] != 1 && v.step[d] != 0) part.loops.push_back({v.inside[d], v.step[d] * v.strides[d]});
  }
  if (v.parts > 1) part.loops.push_back({v.parts, v.part_stride});
  return part;
}

}  // namespace

std::vector<event::Box> boxes_in_memory(const View& view) {
  std::vector<event::Box> boxes;
  std::vector<Part> open = {whole_part(view)};
  for (const Loop& loop : open[0].loops) {
    if (loop.count > 0) continue;
    boxes.emplace_back().rank = static_cast<int>(view.memory->shape.size());
    return boxes;
  }
  while (!open.empty()) {
    Part part = std::move(open.back());
    open.pop_back();
    const std::optional<Cut> cut = lay(part, *view.memory, boxes);
    if (!cut) continue;
    if (boxes.size() + open.size() >= kMostBoxes)
      throw Error(
          ErrorCode::kUnsupported,
          fmt::format("a reshaped view of {} that takes more than {} boxes of it is not supported where accesses "
                      "are observed",
                      view.memory->name, kMostBoxes));
    Loop& loop = part.loops[cut->loop];
    Part rest = part;
    rest.base += cut->count * loop.stride;
    rest.loops[cut->loop].count -= cut->count;
    loop.count = cut->count;
    open.push_back(std::move(rest));
    open.push_back(std::move(part));
  }
  return boxes;
}

}  // namespace millrace::machine
