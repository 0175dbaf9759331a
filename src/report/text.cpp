// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "report/json.h"
#include "report/place.h"
#include "report/waits.h"

namespace millrace::report {

namespace {

constexpr const char *kRed = "1;31", *kYellow = "1;33", *kBlue = "1;34", *kGreen = "1;32", *kBold = "1";

std::string painted(const std::string& text, const char* colour, bool on) {
  return on ? fmt::format("\033[{}m{}\033[0m", colour, text) : text;
}

std::string numbers(const std::vector<std::int64_t>& list) {
  return fmt::format("({}{})", fmt::join(list, ", "), list.size() == 1 ? "," : "");
}

std::string text_of(const std::vector<Range>& box) {
  std::vector<std::string> ranges;
  for (const Range& r : box)
    ranges.push_back(r.end - r.begin == 1 && r.stride == 1
                         ? fmt::format("{}", r.begin)
                         : fmt::format("{}:{}{}", r.begin, r.end, r.stride == 1 ? "" : fmt::format(":{}", r.stride)));
  return fmt::format("[{}]", fmt::join(ranges, ", "));
}

// Findings that are one story: of the same DMA with several others, of one place on several semaphores.
using Group = std::vector<std::size_t>;

std::vector<Group> grouped(const Checked& c) {
  std::vector<Group> groups;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < c.findings.size(); ++i) {
    const Finding& f = c.findings[i];
    const std::string place = f.first ? f.first->access + " " + f.first->at : "";
    const bool alone = !f.first || !f.second;
    const std::string key = alone ? std::to_string(i) : fmt::format("{}|{}|{}|{}", f.id, f.memory, place, c.is_new(i));
    const auto [group, fresh] = known.try_emplace(key, groups.size());
    if (fresh) groups.emplace_back();
    groups[group->second].push_back(i);
  }
  return groups;
}

std::string line_of(const Spot& s, const std::string& memory, std::size_t width, bool colour) {
  std::string place = s.at;
  if (!s.location.scope.empty() && s.location.line > 0)
    place += fmt::format(" at {}:{}", s.location.file, s.location.line);
  const std::string padding(width - std::min(width, place.size()), ' ');
  return fmt::format("  {} {}{}   {}{}{}\n", painted("-->", kBlue, colour), place, padding, s.what,
                     memory.empty() ? "" : " " + memory, s.nth.empty() ? "" : ", " + s.nth);
}

std::size_t width_of(const std::vector<Spot>& spots) {
  std::size_t width = 0;
  for (const Spot& s : spots) {
    std::size_t size = s.at.size();
    if (!s.location.scope.empty() && s.location.line > 0)
      size += fmt::format(" at {}:{}", s.location.file, s.location.line).size();
    width = std::max(width, size);
  }
  return std::min<std::size_t>(width, 60);
}

std::vector<std::string> details_of(const Finding& f) {
  std::vector<std::string> lines;
  if (!f.extent.empty()) lines.push_back(fmt::format("{} has shape {}", f.memory, numbers(f.extent)));
  if (!f.block.empty())
    lines.push_back(fmt::format("block {}{}{}", numbers(f.block), f.blocks.empty() ? "" : " of ",
                                f.blocks.empty() ? "" : numbers(f.blocks)));
  if (!f.grid_step.empty()) lines.push_back(fmt::format("in grid step {}", numbers(f.grid_step)));
  if (!f.written_in.empty())
    lines.push_back(fmt::format("{} was replaced in grid step {}", f.output, numbers(f.written_in)));
  if (!f.left_after.empty())
    lines.push_back(fmt::format("the block was left after grid step {}", numbers(f.left_after)));
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

std::string text_of(const Checked& c, const Group& group, bool colour) {
  const Finding& f = c.findings[group[0]];
  const bool error = f.severity == Severity::kError;
  std::string head = painted(fmt::format("{}[{}]", name_of(f.severity), f.id), error ? kRed : kYellow, colour);
  if (!c.is_new(group[0])) head += " (known)";
  std::string text = fmt::format("{}: {}\n", head, painted(f.message, kBold, colour));
  std::vector<Spot> spots = spots_of(f);
  const std::string memory = f.memory + (f.box.empty() ? "" : text_of(f.box));
  std::vector<std::string> memories(spots.size(), f.waiters.empty() ? memory : "");
  for (std::size_t i = 1; i < group.size(); ++i) {
    const Finding& other = c.findings[group[i]];
    spots.push_back(spots_of(other)[0]);
    memories.push_back(other.memory + (other.box.empty() ? "" : text_of(other.box)));
  }
  const std::size_t width = width_of(spots);
  for (std::size_t i = 0; i < spots.size(); ++i) text += line_of(spots[i], memories[i], width, colour);
  const auto reason = [&](const std::string& what) {
    text += fmt::format("   {} {}\n", painted("=", kBlue, colour), what);
  };
  for (const std::string& line : details_of(f)) reason(line);
  if (group.size() > 1)
    reason(fmt::format("{} findings: each later line is one more access that meets the same one", group.size()));
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
