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
    const std::vector<std::vector<Mark>> marks = stacked_marks(t_);
    for (std::size_t i = 0; i < marks.size(); ++i) text += mark_line(i == 0 ? "findings" : "", marks[i]);
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
    const std::string owner = owner_of(t_, r.device, r.core);
    return owner.empty() ? name : owner + ": " + name;
  }

  // As long as a bar of the fullest lane has six columns on average.
  Time readable_end() const {
    const std::size_t room = static_cast<std::size_t>(columns_ / 6);
    Time end = drawn_end(t_);
    for (timing::Index lane = 0; lane < t_.lanes.size(); ++lane) {
      std::size_t seen = 0;
      for (const Bar& b : t_.bars) {
        if (b.lane != lane || unseen(b) || b.begin < from_) continue;
        if (++seen > room) end = std::min(end, std::max(b.begin, from_ + 1));
      }
    }
    return std::max(end, from_ + 1);
  }

  // A wait that is met at once.
  bool unseen(const Bar& b) const { return t_.lanes[b.lane].kind == LaneKind::kWait && b.end == b.begin && !b.never; }

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

  // The first of the labels that finds room between two columns; says where it ends.
  static int put(std::string& line, int at, int end, const std::vector<std::string>& labels) {
    for (const std::string& label : labels) {
      const int size = static_cast<int>(label.size());
      if (label.empty() || at < 0 || size > end - at) continue;
      line.replace(static_cast<std::size_t>(at), label.size(), label);
      return at + size;
    }
    return at;
  }

  void bar(std::string& line, const Bar& b) const {
    const int begin = column(b.begin), end = std::max(column(b.never ? to_ : b.end), begin + 1);
    const LaneKind kind = t_.lanes[b.lane].kind;
    if (kind == LaneKind::kWait) {
      fill(line, begin, end, b.never ? '!' : '.');
      std::vector<std::string> lacks = labels_of(t_, b);
      for (std::string& label : lacks) label = " " + label + " ";
      if (b.never) put(line, begin + 1, end, lacks);
      return;
    }
    fill(line, begin, end, kind == LaneKind::kCompute ? '#' : '=');
    if (kind != LaneKind::kCompute) fill(line, begin, std::min(column(b.moves), end - 1), '-');
    line[static_cast<std::size_t>(begin)] = '|';
    put(line, begin + 1, end, labels_of(t_, b));
  }

  // Where findings happen, with what they are about: in the mark, else beside it.
  std::string mark_line(const std::string& name, const std::vector<Mark>& marks) const {
    std::string line(static_cast<std::size_t>(columns_) + 1, ' ');
    const auto ends = [&](const Mark& m) { return std::max(column(m.end), column(m.begin) + 1); };
    for (const Mark& m : marks) fill(line, column(m.begin), ends(m), '!');
    for (std::size_t i = 0; i < marks.size(); ++i) {
      const Mark& m = marks[i];
      if (m.begin >= to_ || m.end < from_) continue;
      const timing::Fault& f = t_.faults[m.fault];
      std::vector<std::string> labels = labels_of(f, m.fault + 1, f.moments[m.moment]);
      for (std::string& label : labels) label = " " + label + " ";
      const int begin = column(m.begin) + 1, next = i + 1 < marks.size() ? column(marks[i + 1].begin) : columns_;
      if (put(line, begin, ends(m) - 1, labels) == begin) put(line, ends(m), next, labels);
    }
    return named(name, line);
  }

  std::string lane_line(timing::Index lane, std::uint32_t number, const Stacked& lines) const {
    std::string line(static_cast<std::size_t>(columns_) + 1, ' ');
    bool any = number == 0;
    for (std::size_t i = 0; i < t_.bars.size(); ++i) {
      const Bar& b = t_.bars[i];
      if (b.lane != lane || lines.line[i] != number || b.begin >= to_ || b.end < from_) continue;
      if (unseen(b)) continue;
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
    }
    for (const timing::Tenancy& l : t_.tenancies)  // seen even where the next content begins at once
      if (l.row == row && l.slot == slot && l.last_use >= from_ && l.last_use <= to_)
        line[static_cast<std::size_t>(column(l.last_use))] = '!';
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
  for (std::size_t i = 0; i < t.faults.size(); ++i) {
    const timing::Fault& f = t.faults[i];
    text += fmt::format("{}. {} {}\n", i + 1, f.error ? "error" : "warning", sentence(f));
    for (const timing::Moment& m : f.moments) text += fmt::format("   {}\n", sentence(t, m));
  }
  return text;
}

}  // namespace millrace::view
