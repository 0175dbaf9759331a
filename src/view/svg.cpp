// SPDX-License-Identifier: Apache-2.0
#include "view/svg.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/drawing.h"
#include "view/picture.h"
#include "view/sentences.h"

namespace millrace::view {

namespace {

using timing::Time;
using timing::Timeline;

constexpr std::size_t kMostFindings = 4;  // told above the picture
constexpr double kTogether = 640;         // pixels from which several timelines find room over one time axis

constexpr const char* kLegend =
    "DMA bars: pale on their way, strong while bytes move. Slots: pale while they are filled, strong while in use; "
    "the triangle marks the last use, the circle the moment from which the slot may be filled again. "
    "A thick underline is the critical path. Letters name buffers, digits slots.";

void words_above(Drawing& d, const Timeline& t) {
  d.y += 8;
  d.paragraph(12, t.title, 15, "font-weight=\"600\"");
  d.paragraph(12, basis(t), 12, "class=\"soft\"");
  const std::size_t told = t.faults.size() > kMostFindings + 1 ? kMostFindings : t.faults.size();
  for (std::size_t i = 0; i < told; ++i) {
    d.y += 2;
    d.paragraph(12, fmt::format("{}. {}", i + 1, sentence(t.faults[i])), 12, "class=\"badtext\"");
  }
  if (told < t.faults.size())
    d.paragraph(12, fmt::format("and {} more findings", t.faults.size() - told), 12, "class=\"badtext\"");
  d.y += 6;
}

// How long each takes, as bars of one scale.
void compare(Drawing& d, const std::vector<Timeline>& timelines) {
  double names = 0;
  Time most = 1;
  for (const Timeline& t : timelines) names = std::max(names, width_of(t.title, 12)), most = std::max(most, t.end);
  const double left = 12 + std::min(names, d.width() * 0.45) + 8,
               room = d.width() - 12 - left - width_of("12.34 us", 12) - 8;
  d.y += 6;
  for (const Timeline& t : timelines) {
    const double length = room * static_cast<double>(t.end) / static_cast<double>(most);
    d.text(left - 8, d.y + 12, t.title, "text-anchor=\"end\"");
    d.rect(left, d.y, length, 16, "class=\"work\"", t.title + ": " + time_text(t.end) + ", " + basis(t));
    d.text(left + length + 6, d.y + 12, time_text(t.end));
    d.y += 22;
  }
}

void words_below(Drawing& d, const Timeline& t) {
  d.y += 4;
  for (const std::string& line : summary(t)) d.paragraph(12, line, 12);
}

}  // namespace

std::string to_svg(const Timeline& t, const SvgOptions& options) {
  Drawing d(std::max(options.width, 320));
  if (options.words) words_above(d, t);
  Picture(t, d, options.from, options.to > options.from ? options.to : drawn_end(t)).draw();
  if (options.words) words_below(d, t);
  d.paragraph(12, kLegend, 11, "class=\"soft\"");
  d.y += 10;
  std::string said;
  for (const std::string& line : summary(t)) said += line + " ";
  for (const timing::Fault& f : t.faults) said += sentence(f) + " ";
  return d.finished(t.title + ": " + basis(t), said);
}

std::string to_svg(const std::vector<Timeline>& timelines, const std::string& title, const SvgOptions& options) {
  Drawing d(std::max(options.width, 320));
  d.y = 6;
  d.paragraph(12, title, 16, "font-weight=\"600\"");
  compare(d, timelines);
  const bool cut = options.to > options.from, together = cut || d.width() >= kTogether;
  Time end = options.to;
  for (const Timeline& t : timelines)
    if (!cut) end = std::max(end, drawn_end(t));
  std::string said;
  for (const Timeline& t : timelines) {
    words_above(d, t);
    Picture(t, d, options.from, together ? end : drawn_end(t)).draw();
    words_below(d, t);
    d.y += 8;
    for (const std::string& line : summary(t)) said += line + " ";
  }
  d.paragraph(12, kLegend, 11, "class=\"soft\"");
  d.y += 10;
  return d.finished(title, said);
}

}  // namespace millrace::view
