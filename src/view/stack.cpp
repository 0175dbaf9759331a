// SPDX-License-Identifier: Apache-2.0
#include "view/stack.h"

#include <algorithm>

#include "view/sentences.h"

namespace millrace::view {

namespace {

std::size_t slot_of(const timing::Timeline& t, const timing::Bar& b) {
  const bool moves = t.lanes[b.lane].kind != timing::LaneKind::kCompute;
  return moves && !b.lives.empty() ? t.tenancies[b.lives[0]].slot : 0;
}

}  // namespace

Stacked stacked(const timing::Timeline& t, std::uint32_t most) {
  Stacked s{std::vector<std::uint32_t>(t.bars.size(), 0), std::vector<std::uint32_t>(t.lanes.size(), 1)};
  std::vector<timing::Time> free_from;
  for (std::size_t i = 0; i < t.bars.size(); ++i) {
    const timing::Bar& b = t.bars[i];
    if (i == 0 || t.bars[i - 1].lane != b.lane) free_from.clear();
    std::size_t line = slot_of(t, b);
    if (line < free_from.size() && free_from[line] > b.begin) line = 0;
    while (line < free_from.size() && free_from[line] > b.begin) ++line;
    line = std::min<std::size_t>(line, most - 1);
    if (line >= free_from.size()) free_from.resize(line + 1, 0);
    free_from[line] = std::max(free_from[line], b.end);
    s.line[i] = static_cast<std::uint32_t>(line);
    s.lines[b.lane] = std::max(s.lines[b.lane], static_cast<std::uint32_t>(line + 1));
  }
  return s;
}

std::vector<std::vector<Mark>> stacked_marks(const timing::Timeline& t, std::size_t most) {
  std::vector<Mark> marks;
  for (std::size_t f = 0; f < t.faults.size(); ++f)
    for (std::size_t m = 0; m < t.faults[f].moments.size(); ++m) {
      const timing::Moment& moment = t.faults[f].moments[m];
      const bool never = moment.bar != timing::kNone && t.bars[moment.bar].never;
      marks.push_back({f, m, moment.begin, never ? drawn_end(t) : moment.end});
    }
  std::ranges::stable_sort(marks, {}, &Mark::begin);
  std::vector<std::vector<Mark>> lines;
  for (const Mark& mark : marks) {
    std::size_t line = 0;
    while (line < lines.size() && lines[line].back().end >= mark.begin) ++line;
    if (line == lines.size() && line < most) lines.emplace_back();
    lines[std::min(line, lines.size() - 1)].push_back(mark);
  }
  return lines;
}

StackedSlots stacked_slots(const timing::Timeline& t, std::uint32_t most) {
  StackedSlots s{std::vector<std::uint32_t>(t.tenancies.size(), 0), {}};
  for (const timing::Row& row : t.rows) s.lines.emplace_back(row.slots, 1);
  std::vector<timing::Time> free_from;
  for (std::size_t i = 0; i < t.tenancies.size(); ++i) {
    const timing::Tenancy& l = t.tenancies[i];
    if (i == 0 || t.tenancies[i - 1].row != l.row || t.tenancies[i - 1].slot != l.slot) free_from.clear();
    std::size_t line = 0;
    while (line + 1 < most && line < free_from.size() && free_from[line] > l.begin) ++line;
    if (line >= free_from.size()) free_from.resize(line + 1, 0);
    free_from[line] = std::max(free_from[line], l.last_use);
    s.line[i] = static_cast<std::uint32_t>(line);
    s.lines[l.row][l.slot] = std::max(s.lines[l.row][l.slot], static_cast<std::uint32_t>(line + 1));
  }
  return s;
}

}  // namespace millrace::view
