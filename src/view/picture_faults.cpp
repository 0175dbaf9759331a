// SPDX-License-Identifier: Apache-2.0
// Findings in the picture: told in lines of their own above the lanes, each access with its box, and framed in the
// lanes, where they happen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "view/picture.h"
#include "view/sentences.h"

namespace millrace::view {

using timing::Index;
using timing::kNone;

namespace {

constexpr std::size_t kMostMarks = 8;  // lines of them

}  // namespace

void Picture::marks() {
  const std::vector<std::vector<Mark>> lines = stacked_marks(t_, kMostMarks);
  if (lines.empty()) return;
  label(d_.y + 14, "findings");
  for (const std::vector<Mark>& line : lines) {
    mark_texts(line, d_.y + 2);
    d_.y += kLine;
  }
  d_.line(12, d_.y, right_, d_.y, "class=\"rule\" stroke-width=\"0.6\"");
  d_.y += 3;
}

// A text stands in its mark, else behind it, else before it; a shorter one where there is no room for it.
void Picture::mark_texts(const std::vector<Mark>& line, double top) {
  const auto x0 = [&](const Mark& m) { return x(m.begin); };
  const auto x1 = [&](const Mark& m) { return std::max(x(m.end), x(m.begin) + 4); };
  for (const Mark& m : line)
    if (shown(m.begin, m.end))
      d_.rect(x0(m), top, x1(m) - x0(m), kBar, "class=\"badtint bad\" stroke-width=\"1.5\"",
              sentence(t_.faults[m.fault]));
  double free = left_;  // behind what stands there already
  for (std::size_t i = 0; i < line.size(); ++i) {
    const Mark& m = line[i];
    if (!shown(m.begin, m.end)) continue;
    const double next = i + 1 < line.size() ? std::max(x0(line[i + 1]), x1(m)) : right_;
    const timing::Fault& f = t_.faults[m.fault];
    for (const std::string& text : labels_of(f, m.fault + 1, f.moments[m.moment])) {
      const double width = width_of(text, kFont) + 6;
      const double left = std::max(x0(m), free);
      const double at = left + width <= x1(m)                   ? left
                        : std::max(x1(m), free) + width <= next ? std::max(x1(m), free)
                        : x0(m) - width >= free                 ? x0(m) - width
                                                                : -1;
      if (at < 0) continue;
      d_.text(at + 3, top + 12, text, "font-size=\"11\" class=\"badtext\"");
      free = std::max(at + width, x1(m));
      break;
    }
    free = std::max(free, x0(m));
  }
}

// Where the number of a finding stands: side by side with those that are there already.
double Picture::badge_of(double x, double top) {
  std::vector<double>& there = badges_[top];
  for (const double other : there)
    if (std::abs(other - x) < kBadge) x = other + kBadge;
  there.insert(std::ranges::upper_bound(there, x), x);
  return x;
}

Picture::Spot Picture::spot_of(const timing::Moment& m) const {
  const bool never = m.bar != kNone && t_.bars[m.bar].never;
  const double top = m.bar == kNone ? lane_top_.empty() ? d_.y : lane_top_[0] : middle_of(m.bar) - kBar / 2;
  return {x(m.begin), never ? right_ : std::max(x(m.end), x(m.begin) + 3), top};
}

void Picture::frame(std::size_t fault, std::size_t i) {
  const timing::Moment& m = t_.faults[fault].moments[i];
  const auto [x0, x1, top] = spot_of(m);
  d_.rect(x0 - 1, top - 1, x1 - x0 + 2, kBar + 2,
          fmt::format("id=\"moment-{}-{}\" class=\"bad\" fill=\"none\" stroke-width=\"2.4\"", fault + 1, i + 1),
          sentence(t_.faults[fault]) + ": " + sentence(t_, m));
}

void Picture::badge(std::size_t fault, const timing::Moment& m) {
  const Spot spot = spot_of(m);
  const double badge = badge_of(spot.x0 - 5, spot.top), top = spot.top;
  d_.raw(fmt::format("<circle class=\"badfill\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"7\"/>", badge, top));
  d_.text(badge, top + 3.5, std::to_string(fault + 1), "class=\"on\" font-size=\"10\" text-anchor=\"middle\"");
}

// From the one to the other by the shortest way: straight down where they overlap in time.
void Picture::link(const Spot& one, const Spot& other) {
  const double begin = std::max(one.x0, other.x0), end = std::min(one.x1, other.x1), middle = (begin + end) / 2;
  const double from = begin <= end ? middle : one.x1 < other.x0 ? one.x1 : one.x0;
  const double to = begin <= end ? middle : one.x1 < other.x0 ? other.x0 : other.x1;
  d_.line(from, one.top + kBar / 2, to, other.top + kBar / 2,
          "class=\"bad\" stroke-width=\"1.6\" stroke-dasharray=\"5 3\"");
}

// Both accesses in red, with the number of the finding, and what is missing between them.
void Picture::faults() {
  for (std::size_t f = 0; f < t_.faults.size(); ++f) {
    const std::vector<timing::Moment>& moments = t_.faults[f].moments;
    for (std::size_t i = 0; i < moments.size(); ++i) {
      if (i > 0) link(spot_of(moments[i - 1]), spot_of(moments[i]));
      frame(f, i);
    }
  }
  for (std::size_t f = 0; f < t_.faults.size(); ++f)
    for (const timing::Moment& m : t_.faults[f].moments) badge(f, m);
}

}  // namespace millrace::view
