// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/json.h"
#include "report/place.h"
#include "report/waits.h"

namespace millrace::report {

namespace {

constexpr const char *kRed = "1;31", *kYellow = "1;33", *kBlue = "1;34", *kGreen = "1;32", *kBold = "1";

std::string painted(const std::string& text, const char* colour, bool on) {
  return on ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

std::string text_of(const std::vector<Range>& box) {
  std::vector<std::string> ranges;
  for (const Range& r : box)
    ranges.push_back(r.end - r.begin == 1 && r.stride == 1
                         ? fmt::format("{}", r.begin)
                         : fmt::format("{}:{}{}", r.begin, r.end, r.stride == 1 ? "" : fmt::format(":{}", r.stride)));
  return fmt::format("[{}]", fmt::join(ranges, ", "));
}

// Findings that are one story: races on one memory that have a place in common, with others or through others.
using Group = std::vector<std::size_t>;

bool is_race(const Finding& f) { return f.first && f.second && f.id.starts_with("race."); }

std::vector<Group> grouped(const Checked& c) {
  std::vector<Group> groups;
  std::vector<std::set<std::string>> places;  // of each group
  for (std::size_t i = 0; i < c.findings.size(); ++i) {
    const Finding& f = c.findings[i];
    Group group = {i};
    std::set<std::string> its;
    if (is_race(f))
      for (const std::string& at : {f.first->at, f.second->at})
        its.insert(fmt::format("{}|{}|{}", f.memory, at, c.is_new(i)));
    // Takes in the groups that it connects; the story stands where the first of them stood.
    for (std::size_t g = groups.size(); g-- > 0;) {
      if (std::ranges::none_of(its, [&](const std::string& p) { return places[g].contains(p); })) continue;
      group.insert(group.begin(), groups[g].begin(), groups[g].end());
      its.insert(places[g].begin(), places[g].end());
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
      places.erase(places.begin() + static_cast<std::ptrdiff_t>(g));
    }
    std::ranges::sort(group);
    const auto at = std::ranges::upper_bound(groups, group, {}) - groups.begin();
    groups.insert(groups.begin() + at, std::move(group));
    places.insert(places.begin() + at, std::move(its));
  }
  return groups;
}

std::string line_of(const Spot& s, const std::string& memory, std::size_t width, bool colour) {
  const std::string place = to_string(s.location);
  const std::string padding(width - std::min(width, place.size()), ' ');
  return fmt::format("  {} {}{}   {}{}{}\n", painted("-->", kBlue, colour), place, padding, s.what,
                     memory.empty() ? "" : " " + memory, s.nth.empty() ? "" : ", " + s.nth);
}

std::size_t width_of(const std::vector<Spot>& spots) {
  std::size_t width = 0;
  for (const Spot& s : spots) width = std::max(width, to_string(s.location).size());
  return std::min<std::size_t>(width, 60);
}

std::vector<std::string> details_of(const Finding& f) {
  std::vector<std::string> lines;
  if (!f.extent.empty()) lines.push_back(fmt::format("{} has shape {}", f.memory, millrace::to_string(f.extent)));
  if (!f.block.empty())
    lines.push_back(fmt::format("block {}{}{}", millrace::to_string(f.block), f.blocks.empty() ? "" : " of ",
                                f.blocks.empty() ? "" : millrace::to_string(f.blocks)));
  if (!f.grid_step.empty()) lines.push_back(fmt::format("in grid step {}", millrace::to_string(f.grid_step)));
  if (!f.written_in.empty())
    lines.push_back(fmt::format("{} was replaced in grid step {}", f.output, millrace::to_string(f.written_in)));
  if (!f.left_after.empty())
    lines.push_back(fmt::format("the block was left after grid step {}", millrace::to_string(f.left_after)));
  std::string boxes;
  for (std::size_t i = 0; i < std::min<std::size_t>(f.boxes.size(), 8); ++i) boxes += " " + text_of(f.boxes[i]);
  if (f.boxes.size() > 8) boxes += fmt::format(" and {} more", f.boxes.size() - 8);
  if (!boxes.empty()) lines.push_back("elements" + boxes);
  if (!f.semaphore.empty())
    lines.push_back(fmt::format("on {}{}{}", f.semaphore, f.bytes ? fmt::format(", {} bytes", *f.bytes) : "",
                                f.count ? fmt::format(", {} left", *f.count) : ""));
  if (f.same_memory.size() > 1) lines.push_back(fmt::format("{} are one memory", fmt::join(f.same_memory, " and ")));
  return lines;
}

std::string in_schedules(const std::string& schedules) {
  if (schedules == "all") return "in all schedules; ";
  if (schedules == "some") return "in some schedules only; ";
  return "";
}

const checkers::WaitSite* wait_with(const Checked& c, const std::string& start,
                                    std::vector<checkers::WaitedDmas> checkers::WaitSite::*list,
                                    const checkers::WaitedDmas*& dmas) {
  for (const checkers::WaitSite& w : c.waits)
    for (const checkers::WaitedDmas& d : w.*list)
      if (d.at == start) {
        dmas = &d;
        return &w;
      }
  return nullptr;
}

// Why the DMA of a race is not proved complete before the other access.
std::string why_not_proved(const Checked& c, const Finding& f) {
  if (!is_race(f) || !f.first->access.starts_with("DMA")) return "";
  const checkers::WaitedDmas* dmas = nullptr;
  if (const auto* w = wait_with(c, f.first->at, &checkers::WaitSite::open, dmas))
    return fmt::format("the wait at {} does not prove it: more is under way on {} than it asks for", w->at,
                       w->semaphore);
  if (const auto* w = wait_with(c, f.first->at, &checkers::WaitSite::proved, dmas))
    return fmt::format("the wait at {} proves DMAs started at {}, but not this one before the other access", w->at,
                       f.first->at);
  return fmt::format("no wait proves the DMAs started at {}", f.first->at);
}

std::string pair_of(const Finding& f) {
  const auto side = [](const Side& s) { return fmt::format("{} {}, the {} time", s.at, s.access, ordinal(s.nth)); };
  return fmt::format("{}: {}; {}", f.id, side(*f.second), side(*f.first));
}

std::string text_of(const Checked& c, const Group& group, bool colour) {
  const Finding& f = c.findings[group[0]];
  const bool error = f.severity == Severity::kError;
  std::string head = painted(fmt::format("{}[{}]", name_of(f.severity), f.id), error ? kRed : kYellow, colour);
  if (!c.is_new(group[0])) head += " (known)";
  std::string text = fmt::format("{}: {}\n", head, painted(f.message, kBold, colour));
  const std::vector<Spot> spots = spots_of(f);
  const std::string memory = f.memory + (f.box.empty() ? "" : text_of(f.box));
  const std::size_t width = width_of(spots);
  for (const Spot& s : spots) text += line_of(s, f.waiters.empty() ? memory : "", width, colour);
  const auto reason = [&](const std::string& what) {
    text += fmt::format("   {} {}\n", painted("=", kBlue, colour), what);
  };
  if (const std::string why = why_not_proved(c, f); !why.empty()) reason(why);
  for (const std::string& line : details_of(f)) reason(line);
  const auto shown = [&](std::size_t finding) {
    for (const Replay& r : c.replays_of(finding))
      if (!r.file.empty()) reason(fmt::format("--schedule replay:{}: {}", r.file, r.shows));
  };
  shown(group[0]);
  for (std::size_t i = 1; i < group.size(); ++i) {
    reason("and " + pair_of(c.findings[group[i]]));
    shown(group[i]);
  }
  if (!f.hint.empty()) reason("usual mend: " + f.hint);
  reason(fmt::format("{}clause {}; `millrace explain {}`", in_schedules(f.schedules), f.clause, f.id));
  return text;
}

std::string counted(std::size_t n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string text_of(const Schedules& s) {
  std::string steer;
  if (!s.control_depends_on.empty())
    steer = fmt::format(" (they steer control flow: {})", fmt::join(s.control_depends_on, ", "));
  if (s.complete)
    return fmt::format("Checked {} of {} schedule class{} for {}{}.", s.explored, s.classes, s.classes == 1 ? "" : "es",
                       s.of, steer);
  return fmt::format("Checked {} schedule class{} for {}{}; there may be more: {}.", s.explored,
                     s.explored == 1 ? "" : "es", s.of, steer, fmt::join(s.open, "; "));
}

}  // namespace

std::string summary(const Checked& c) {
  std::size_t errors = 0, warnings = 0, known = 0;
  for (std::size_t i = 0; i < c.findings.size(); ++i) {
    ++(c.findings[i].severity == Severity::kError ? errors : warnings);
    known += c.is_new(i) ? 0 : 1;
  }
  std::string text = errors ? counted(errors, "error") : "clean";
  if (warnings) text += ", " + counted(warnings, "warning");
  if (known) text += fmt::format(" ({} known)", known);
  if (c.gone) text += fmt::format("; {} of the baseline {} gone", c.gone, c.gone == 1 ? "is" : "are");
  return text + ". " + text_of(c.schedules);
}

std::string to_text(const Checked& c, bool colour) {
  std::string text;
  for (const Group& group : grouped(c)) text += text_of(c, group, colour) + "\n";
  if (c.why_wait) text += waits_text(c.waits) + "\n";
  const char* tone = new_errors(c) > 0 ? kRed : kGreen;
  return text + painted(summary(c), tone, colour) + "\n";
}

}  // namespace millrace::report
