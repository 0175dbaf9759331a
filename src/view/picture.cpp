// SPDX-License-Identifier: Apache-2.0
#include "view/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "view/palette.h"
#include "view/sentences.h"
#include "view/svg.h"

namespace millrace::view {

using timing::Bar;
using timing::Index;
using timing::kNone;
using timing::LaneKind;
using timing::Time;

namespace {

constexpr double kSlot = 18, kSmall = 9;
constexpr double kNames = 140;  // pixels that names may have, however narrow the picture is
constexpr double kPale = 0.5;   // of a slot's pattern, while it is filled and a DMA's bytes do not move yet
constexpr std::size_t kMostArrows = 90;

// A round distance between marks of the axis, for about so many of them; at least one beside 0.
Time tick_of(Time span, int marks) {
  const double raw = static_cast<double>(span) / marks;
  const double power = std::pow(10.0, std::floor(std::log10(std::max(raw, 1.0))));
  double tick = 0.5 * power;
  for (const double step : {1.0, 2.0, 5.0, 10.0}) {
    if (step * power > 0.9 * static_cast<double>(span)) break;
    tick = step * power;
    if (raw <= tick) break;
  }
  return std::max<Time>(static_cast<Time>(tick), 1);
}

std::string most_text(const timing::Counter& c) {
  return fmt::format("most {}{}", grouped(c.most), c.unit == "bytes" ? " B" : "");
}

}  // namespace

Picture::Picture(const timing::Timeline& t, Drawing& d, Time from, Time to)
    : t_(t),
      d_(d),
      from_(from),
      to_(std::max(to, from + 1)),
      right_(d.width() - 14),
      lines_(stacked(t)),
      slot_lines_(stacked_slots(t)) {
  for (const timing::Fault& f : t.faults)
    for (const timing::Moment& m : f.moments)
      if (m.bar != kNone) ++findings_of_[m.bar];
  double widest = 40;
  for (const timing::Lane& l : t.lanes) widest = std::max(widest, width_of(name_of(t, l), 12));
  for (const timing::Row& r : t.rows)
    widest = std::max(widest, width_of(owned(r.letter + "0 " + r.operand, r.device, r.core), 12));
  for (const timing::Counter& c : t.counters)
    widest = std::max({widest, width_of(owned(c.name, c.device, c.core), 12), width_of(most_text(c), 12)});
  left_ = 12 + std::min(widest, std::max(d.width() * 0.28, kNames)) + 8;
}

// "VMEM (core 1)"
std::string Picture::owned(const std::string& name, int device, int core) const {
  const std::string owner = owner_of(t_, device, core);
  return owner.empty() ? name : fmt::format("{} ({})", name, owner);
}

double Picture::x(Time at) const {
  const double share = static_cast<double>(at - from_) / static_cast<double>(to_ - from_);
  return left_ + kInset + std::clamp(share, 0.0, 1.0) * (right_ - left_ - kInset);
}

void Picture::draw() {
  axis();
  const double top = d_.y;
  marks();
  if (!t_.faults.empty()) d_.y += 7;  // the numbers of findings stand out of the first lane
  lanes();
  arrows();
  faults();
  slots();
  counters();
  grid(top, d_.y);
  d_.y += 6;
}

void Picture::label(double base, const std::string& name) {
  std::string text = name;
  while (text.size() > 3 && width_of(text, 12) > left_ - 18) text.pop_back();
  if (text.size() < name.size()) text.replace(text.size() - 1, 1, "\u2026");
  d_.text(left_ - 8, base, text, "text-anchor=\"end\"");
}

void Picture::axis() {
  const Time tick = tick_of(to_ - from_, std::max(2, static_cast<int>((right_ - left_) / 110)));
  d_.y += 14;
  for (Time at = (from_ + tick - 1) / tick * tick; at <= to_; at += tick) {
    const char* anchor = x(at) > right_ - 24 ? "end" : x(at) < left_ + kInset + 12 ? "start" : "middle";
    d_.text(x(at), d_.y, time_text(at), fmt::format("class=\"soft\" font-size=\"11\" text-anchor=\"{}\"", anchor));
  }
  d_.y += 6;
}

// Over the bars: thin enough not to matter over the bars.
void Picture::grid(double top, double bottom) {
  const Time tick = tick_of(to_ - from_, std::max(2, static_cast<int>((right_ - left_) / 110)));
  for (Time at = (from_ + tick - 1) / tick * tick; at <= to_; at += tick)
    d_.line(x(at), top, x(at), bottom, "class=\"rule\" stroke-width=\"0.5\" stroke-dasharray=\"2 3\"");
}

void Picture::lanes() {
  lane_top_.clear();
  for (Index lane = 0; lane < t_.lanes.size(); ++lane) {
    lane_top_.push_back(d_.y);
    label(d_.y + 14, name_of(t_, t_.lanes[lane]));
    d_.y += kLine * lines_.lines[lane];
    d_.line(12, d_.y, right_, d_.y, "class=\"rule\" stroke-width=\"0.6\"");
    d_.y += 3;
  }
  for (Index i = 0; i < t_.bars.size(); ++i) {
    const Bar& b = t_.bars[i];
    if (!shown(b.begin, b.end)) continue;
    const double top = lane_top_[b.lane] + kLine * lines_.line[i] + 2;
    const LaneKind kind = t_.lanes[b.lane].kind;
    const std::string title = about(t_, i);
    if (kind == LaneKind::kWait)
      wait_bar(b, top, title);
    else if (kind == LaneKind::kCompute)
      compute_bar(b, top, title);
    else
      copy_bar(i, top, title);
    if (b.critical && kind != LaneKind::kWait)
      d_.line(x(b.begin), top + kBar + 1, std::max(x(b.end), x(b.begin) + 1.5), top + kBar + 1,
              "class=\"ink\" stroke-width=\"2\"");
  }
}

// The first of the texts for which there is room; the last one in small letters where there is just about some, if it
// must be there.
void Picture::fit(double x0, double x1, double top, const std::vector<std::string>& texts, bool must) {
  const auto fits = [&](const std::string& t) { return !t.empty() && width_of(t, kFont) <= x1 - x0 - 4; };
  const auto text = std::ranges::find_if(texts, fits);
  if (text != texts.end()) {
    d_.text(x0 + 3, top + 12, *text, "font-size=\"11\" class=\"halo\" stroke-linejoin=\"round\" stroke-width=\"3\"");
    d_.text(x0 + 3, top + 12, *text, "font-size=\"11\"");
  } else if (must && !texts.empty() && width_of(texts.back(), kSmall) <= x1 - x0 - 1) {
    const std::string at = fmt::format("font-size=\"{}\" text-anchor=\"middle\"", kSmall);
    d_.text((x0 + x1) / 2, top + 11, texts.back(), at + " class=\"halo\" stroke-linejoin=\"round\" stroke-width=\"2\"");
    d_.text((x0 + x1) / 2, top + 11, texts.back(), at);
  }
}

std::string Picture::slot_class(const Bar& b, std::uint32_t& letter) const {
  if (b.lives.empty()) return "";
  const timing::Tenancy& life = t_.tenancies[b.lives[0]];
  letter = number_of(t_.rows[life.row].letter) % kColours;
  return class_of(letter, life.slot);
}

void Picture::copy_bar(Index bar, double top, const std::string& title) {
  const Bar& b = t_.bars[bar];
  const double x0 = x(b.begin), x1 = std::max(x(b.end), x0 + 1), moves = std::min(x(b.moves), x1 - 1);
  std::uint32_t letter = 0;
  const std::string slot = slot_class(b, letter);
  if (slot.empty()) {
    d_.rect(x0, top, x1 - x0, kBar, "class=\"work\"", title);
  } else {
    d_.group(title);
    d_.rect(
        x0, top, x1 - x0, kBar,
        fmt::format("class=\"l{}\" fill=\"url(#{})\" fill-opacity=\"{}\" stroke-width=\"0.8\"", letter, slot, kPale));
    d_.rect(moves, top, x1 - moves, kBar,
            fmt::format("class=\"l{}\" fill=\"url(#{})\" stroke-width=\"1.4\"", letter, slot));
    d_.raw("</g>\n");
  }
  const auto found = findings_of_.find(bar);
  const double label = found == findings_of_.end() ? x0 : x0 + kBadge * found->second - 12;  // behind their numbers
  fit(std::max(x0, label), x1, top, labels_of(t_, b), true);
}

void Picture::compute_bar(const Bar& b, double top, const std::string& title) {
  const double x0 = x(b.begin), x1 = std::max(x(b.end), x0 + 0.8);
  d_.rect(x0, top, x1 - x0, kBar, "class=\"work\" stroke-width=\"0.8\"", title);
  fit(x0, x1, top, labels_of(t_, b));
}

void Picture::wait_bar(const Bar& b, double top, const std::string& title) {
  const double x0 = x(b.begin), x1 = x(b.end);
  if (b.never) {
    d_.rect(x0, top, std::max(right_ - x0, 6.0), kBar, "class=\"badtint bad\" stroke-width=\"1.5\"", title);
    fit(x0 + 4, right_, top, labels_of(t_, b), true);
    return;
  }
  d_.rect(x0, top + 4, std::max(x1 - x0, 1.2), kBar - 8, "class=\"still\" stroke-width=\"0.8\"", title);
}

void Picture::slots() {
  if (t_.rows.empty()) return;
  d_.y += 8;
  slot_names();
  for (Index i = 0; i < t_.tenancies.size(); ++i) {
    const timing::Tenancy& l = t_.tenancies[i];
    if (shown(l.begin, std::max(l.last_use, l.reusable)))
      tenancy(l, slot_top_[l.row][l.slot] + kSlot * slot_lines_.line[i]);
  }
}

void Picture::slot_names() {
  slot_top_.clear();
  for (Index r = 0; r < t_.rows.size(); ++r) {
    const timing::Row& row = t_.rows[r];
    slot_top_.emplace_back();
    for (std::uint32_t slot = 0; slot < row.slots; ++slot) {
      slot_top_.back().push_back(d_.y);
      label(d_.y + 13, owned(fmt::format("{}{} {}", row.letter, slot, row.operand), row.device, row.core));
      d_.y += kSlot * slot_lines_.lines[r][slot];
    }
    d_.line(12, d_.y, right_, d_.y, "class=\"rule\" stroke-width=\"0.6\"");
    d_.y += 3;
  }
}

void Picture::tenancy(const timing::Tenancy& l, double top) {
  const std::uint32_t letter = number_of(t_.rows[l.row].letter) % kColours;
  const std::string title = about(t_, l);
  const double x0 = x(l.begin), filled = x(l.filled), last = std::max(x(l.last_use), x0 + 1);
  d_.group(title);
  const std::string slot = class_of(letter, l.slot);
  d_.rect(x0, top + 3, last - x0, kSlot - 6,
          fmt::format("class=\"l{}\" fill=\"url(#{})\" fill-opacity=\"{}\" stroke-width=\"0.8\"", letter, slot, kPale));
  if (last > filled)
    d_.rect(filled, top + 3, last - filled, kSlot - 6,
            fmt::format("class=\"l{}\" fill=\"url(#{})\" stroke-width=\"1.2\"", letter, slot));
  d_.raw("</g>\n");
  if (l.count > 1) return;
  if (l.block != kNone) {
    const std::string block = block_text(t_, l.block);
    fit(x0, last - 6, top + 1, {block.substr(block.find(' ') + 1)});
  }
  if (l.last_use <= to_)
    d_.raw(fmt::format("<path class=\"inked\" d=\"M{0:.1f},{1:.1f} l-4,-5 h8 z\"/>\n", last, top + 6));
  const double reusable = l.reusable < 0 ? right_ : x(l.reusable);
  if (reusable > last + 1)
    d_.line(last, top + kSlot / 2, reusable, top + kSlot / 2,
            fmt::format("class=\"{}\" stroke-width=\"1\" stroke-dasharray=\"3 2\"", l.reusable < 0 ? "bad" : "ink"));
  if (l.reusable >= 0 && l.reusable <= to_)
    d_.raw(fmt::format("<circle class=\"on ink\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\" stroke-width=\"1.2\"/>\n",
                       reusable, top + kSlot / 2));
}

void Picture::counters() {
  d_.y += 6;
  for (const timing::Counter& c : t_.counters) counter(c);
}

void Picture::counter(const timing::Counter& c) {
  constexpr double kHeight = 30;
  label(d_.y + 14, owned(c.name, c.device, c.core));
  label(d_.y + 28, most_text(c));
  const double base = d_.y + kHeight, scale = (kHeight - 4) / static_cast<double>(std::max<std::int64_t>(c.most, 1));
  std::string path = fmt::format("M{:.1f},{:.1f}", x(from_), base);
  double now = 0;
  for (const timing::Counter::Point& p : c.points) {
    if (p.at > to_) break;
    path += fmt::format(" H{:.2f}", x(p.at));
    now = static_cast<double>(p.value) * scale;
    path += fmt::format(" V{:.1f}", base - now);
  }
  path += fmt::format(" H{:.1f} V{:.1f} Z", x(std::min(held_until(), to_)), base);
  d_.raw(fmt::format("<path class=\"work\" stroke-width=\"1\" d=\"{}\"><title>{}: at most {} {}</title></path>\n", path,
                     escaped(c.name), grouped(c.most), c.unit));
  d_.y = base + 6;
}

// A run that never ends keeps what it holds.
Time Picture::held_until() const { return std::ranges::any_of(t_.bars, &Bar::never) ? drawn_end(t_) : t_.end; }

double Picture::middle_of(Index bar) const {
  return lane_top_[t_.bars[bar].lane] + kLine * lines_.line[bar] + 2 + kBar / 2;
}

void Picture::arrows() {
  std::vector<const timing::Arrow*> seen;
  for (const timing::Arrow& a : t_.arrows)
    if (t_.bars[a.copy].end >= from_ && t_.bars[a.wait].end <= to_) seen.push_back(&a);
  if (seen.size() > kMostArrows) return;
  for (const timing::Arrow* a : seen) {
    const double x1 = x(t_.bars[a->copy].end), y1 = middle_of(a->copy), x2 = x(t_.bars[a->wait].end),
                 y2 = middle_of(a->wait) - kBar / 2 + 2;
    d_.raw(
        fmt::format("<path class=\"arrow\" fill=\"none\" stroke-width=\"0.9\" d=\"M{:.1f},{:.1f} L{:.1f},{:.1f} "
                    "m-2.5,-5 l2.5,5 l2.5,-5\"/>\n",
                    x1, y1, x2, y2));
  }
}

}  // namespace millrace::view
