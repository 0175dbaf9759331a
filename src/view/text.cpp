// SPDX-License-Identifier: Apache-2.0
#include "view/text.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/sentences.h"
#include "view/stack.h"

namespace millrace::view {

namespace {

using timing::Bar;
using timing::LaneKind;
using timing::Time;
using timing::Timeline;

class Canvas {
 public:
  Canvas(const Timeline& t, const TextOptions& o) : t_(t) {
    std::size_t widest = 4;
    for (const timing::Lane& l : t.lanes) widest = std::max(widest, name_of(t, l).size());
    for (const timing::Row& r : t.rows) widest = std::max(widest, row_name(r, r.slots - 1).size());
    names_ = static_cast<int>(std::min<std::size_t>(widest, 32));
    columns_ = std::max(o.columns, 60) - names_ - 2;
    from_ = o.from, to_ = o.to > o.from ? o.to : readable_end();
  }

  std::string draw() const {
    std::string text = axis();
    const Stacked lines = stacked(t_, 8);
    for (timing::Index lane = 0; lane < t_.lanes.size(); ++lane)
      for (std::uint32_t line = 0; line < lines.lines[lane]; ++line) text += lane_line(lane, line, lines);
    if (!t_.rows.empty()) text += "slots\n";
    for (timing::Index row = 0; row < t_.rows.size(); ++row)
      for (std::uint32_t slot = 0; slot < t_.rows[row].slots; ++slot) text += slot_line(row, slot);
    if (to_ < t_.end)
      text += fmt::format("the first {} of {}; --from and --to (us) show others\n", time_text(to_), time_text(t_.end));
    return text;
  }

 private:
  std::string row_name(const timing::Row& r, std::uint32_t slot) const {
    const std::string name = fmt::format("{}{} {}", r.letter, slot, r.operand);
    return t_.cores * t_.devices > 1 ? fmt::format("core {}: {}", r.core + r.device * t_.cores, name) : name;
  }

  // As long as a bar of the fullest lane has six columns on average.
  Time readable_end() const {
    const std::size_t room = static_cast<std::size_t>(columns_ / 6);
    Time end = drawn_end(t_);
    for (timing::Index lane = 0; lane < t_.lanes.size(); ++lane) {
      std::size_t seen = 0;
      for (const Bar& b : t_.bars) {
        if (b.lane != lane || (t_.lanes[lane].kind == LaneKind::kWait && b.end == b.begin) || b.begin < from_) continue;
        if (++seen > room) end = std::min(end, std::max(b.begin, from_ + 1));
      }
    }
    return std::max(end, from_ + 1);
  }

  int column(Time at) const {
    const double share = static_cast<double>(at - from_) / static_cast<double>(to_ - from_);
    return static_cast<int>(std::clamp(share, 0.0, 1.0) * columns_);
  }

  std::string axis() const {
    std::string line(static_cast<std::size_t>(columns_) + 12, ' ');
    for (int i = 0; i <= 4; ++i) {
      const Time at = from_ + (to_ - from_) * i / 4;
      const std::string label = time_text(at);
      line.replace(static_cast<std::size_t>(column(at)), label.size(), label);
    }
    line.resize(line.find_last_not_of(' ') + 1);
    return std::string(static_cast<std::size_t>(names_) + 2, ' ') + line + "\n";
  }

  std::string named(const std::string& name, std::string line) const {
    line.resize(line.find_last_not_of(' ') + 1);
    return fmt::format("{:<{}}  {}\n", name.substr(0, static_cast<std::size_t>(names_)), names_, line);
  }

  static void fill(std::string& line, int begin, int end, char with) {
    for (int c = begin; c < end && c < static_cast<int>(line.size()); ++c) line[static_cast<std::size_t>(c)] = with;
  }

  static void put(std::string& line, int at, int end, const std::string& label) {
    if (static_cast<int>(label.size()) <= end - at && at >= 0)
      line.replace(static_cast<std::size_t>(at), label.size(), label);
  }

  void bar(std::string& line, const Bar& b) const {
    const int begin = column(b.begin), end = std::max(column(b.never ? to_ : b.end), begin + 1);
    const LaneKind kind = t_.lanes[b.lane].kind;
    if (kind == LaneKind::kWait) {
      fill(line, begin, end, b.never ? '!' : '.');
      if (b.never) put(line, begin + 1, end, fmt::format(" {} has {}, needs {} ", b.semaphore, b.has, b.amount));
      return;
    }
    fill(line, begin, end, kind == LaneKind::kCompute ? '#' : '=');
    if (kind != LaneKind::kCompute) fill(line, begin, std::min(column(b.moves), end - 1), '-');
    line[static_cast<std::size_t>(begin)] = '|';
    put(line, begin + 1, end, b.count > 1 ? fmt::format("x{}", b.count) : b.label);
  }

  std::string lane_line(timing::Index lane, std::uint32_t number, const Stacked& lines) const {
    std::string line(static_cast<std::size_t>(columns_) + 1, ' ');
    bool any = number == 0;
    for (std::size_t i = 0; i < t_.bars.size(); ++i) {
      const Bar& b = t_.bars[i];
      if (b.lane != lane || lines.line[i] != number || b.begin >= to_ || b.end < from_) continue;
      if (t_.lanes[lane].kind == LaneKind::kWait && b.end == b.begin) continue;
      any = true;
      bar(line, b);
    }
    return any ? named(number == 0 ? name_of(t_, t_.lanes[lane]) : "", line) : "";
  }

  std::string slot_line(timing::Index row, std::uint32_t slot) const {
    std::string line(static_cast<std::size_t>(columns_) + 1, ' ');
    for (const timing::Tenancy& l : t_.tenancies) {
      if (l.row != row || l.slot != slot || l.begin >= to_) continue;
      const int begin = column(l.begin), filled = column(l.filled), last = column(l.last_use);
      fill(line, last, l.reusable < 0 ? columns_ : column(l.reusable), '.');
      fill(line, filled, last, '=');
      fill(line, begin, std::max(filled, begin + 1), '-');
      if (l.last_use <= to_) line[static_cast<std::size_t>(last)] = '!';
    }
    return named(row_name(t_.rows[row], slot), line);
  }

  const Timeline& t_;
  int names_ = 8, columns_ = 80;
  Time from_ = 0, to_ = 1;
};

}  // namespace

std::string to_text(const Timeline& t, const TextOptions& options) {
  std::string text = fmt::format("{}: {}\n", t.title, basis(t));
  if (t.bars.empty()) return text + "nothing moves, computes or waits\n";
  text += Canvas(t, options).draw();
  text += "DMAs: - on their way, = moving; slots: - filled, = used, ! last use, . until it may be filled again\n";
  for (const std::string& line : summary(t)) text += line + "\n";
  for (const timing::Fault& f : t.faults) {
    text += fmt::format("{} {}\n", f.error ? "error" : "warning", sentence(f));
    for (const timing::Moment& m : f.moments) text += fmt::format("   {}\n", sentence(t, m));
  }
  return text;
}

}  // namespace millrace::view
