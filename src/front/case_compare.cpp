// SPDX-License-Identifier: Apache-2.0
#include "front/case_compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "array/shape.h"
#include "check/catalogue.h"
#include "event/box_count.h"

namespace millrace::front {

namespace {

using Json = nlohmann::json;
using Numbers = std::vector<std::int64_t>;

bool agree(double got, double right, double rtol, double atol) {
  if (got == right || (std::isnan(got) && std::isnan(right))) return true;
  return std::fabs(got - right) <= atol + rtol * std::fabs(right) && std::isfinite(right);
}

// What a reader tells two findings of one id apart by.
std::string text_of(const Finding& f) {
  std::string text = f.id;
  if (!f.memory.empty()) text += " of " + f.memory;
  for (const auto* side : {&f.first, &f.second})
    if (*side) text += fmt::format(" | {} at {}", (*side)->access, (*side)->at);
  for (const Waiter& w : f.waiters) text += fmt::format(" | {} at {}", w.semaphore, w.at);
  if (!f.semaphore.empty()) text += " | " + f.semaphore;
  if (!f.at.empty()) text += " | at " + f.at;
  if (!f.block.empty()) text += fmt::format(" | block ({})", fmt::join(f.block, ", "));
  if (!f.grid_step.empty()) text += fmt::format(" | step ({})", fmt::join(f.grid_step, ", "));
  if (!f.schedules.empty()) text += " | " + f.schedules;
  return text;
}

constexpr int kAny = -1;  // a core or device that a case does not name

Side side_of(const Json& e) {
  Side side;
  side.access = e.value("access", ""), side.at = e.value("at", ""), side.nth = e.value("nth", std::uint64_t{0});
  side.core = e.value("core", kAny), side.device = e.value("device", kAny);
  side.grid_step = e.value("grid_step", Numbers{});
  return side;
}

std::vector<Range> box_of(const Json& json) {
  std::vector<Range> box;
  for (const Json& r : json)
    box.push_back({r.at(0), r.at(1), r.size() > 2 ? r[2].get<std::int64_t>() : std::int64_t{1}});
  return box;
}

// What case.json says, as a checker would have said it.
Finding finding_of(const Json& e) {
  Finding f;
  f.id = e.value("id", "no id"), f.memory = e.value("memory", ""), f.schedules = e.value("schedules", "");
  if (e.contains("first")) f.first = side_of(e["first"]);
  if (e.contains("second")) f.second = side_of(e["second"]);
  if (e.contains("box")) f.box = box_of(e["box"]);
  for (const Json& w : e.value("waiters", Json::array()))
    f.waiters.push_back({w.value("semaphore", ""), w.value("at", ""), w.value("nth", std::uint64_t{0}),
                         w.value("core", 0), w.value("has", std::int64_t{0}), w.value("needs", std::int64_t{0}),
                         w.value("device", 0)});
  f.same_memory = e.value("same_memory", std::vector<std::string>{});
  f.semaphore = e.value("semaphore", ""), f.at = e.value("at", ""), f.output = e.value("output", "");
  if (e.contains("bytes")) f.bytes = e["bytes"].get<std::int64_t>();
  if (e.contains("count")) f.count = e["count"].get<std::int64_t>();
  f.extent = e.value("extent", Numbers{}), f.block = e.value("block", Numbers{});
  f.blocks = e.value("blocks", Numbers{}), f.grid_step = e.value("grid_step", Numbers{});
  f.written_in = e.value("written_in", Numbers{}), f.left_after = e.value("left_after", Numbers{});
  for (const Json& box : e.value("boxes", Json::array())) f.boxes.push_back(box_of(box));
  return f;
}

// "scratch1[1,0]" is "scratch1[1, 0]".
std::string close_set(std::string semaphore) {
  std::erase(semaphore, ' ');
  return semaphore;
}

// By any of an array's names.
bool same_memory(const Finding& f, const Finding& e) {
  auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return f.memory == e.memory || holds(e.same_memory, f.memory) || holds(f.same_memory, e.memory);
}

// A move of the window pipeline has no place of its own: it goes by core and step.
bool same_side(const std::optional<Side>& side, const std::optional<Side>& e) {
  if (!e || !side) return side.has_value() == e.has_value();
  if (side->access != e->access) return false;
  if ((e->core != kAny && side->core != e->core) || (e->device != kAny && side->device != e->device)) return false;
  return e->at.empty() ? side->grid_step == e->grid_step : side->at == e->at;
}

// Who waits, and where: in any order.
bool same_waiters(const Finding& f, const Finding& e) {
  auto who = [](const Finding& finding) {
    std::multiset<std::string> all;
    for (const Waiter& w : finding.waiters)
      all.insert(fmt::format("{}.{} {} {}", w.device, w.core, close_set(w.semaphore), w.at));
    return all;
  };
  return who(f) == who(e);
}

bool matches(const Finding& f, const Finding& e) {
  if (f.id != e.id || !same_memory(f, e) || f.schedules != e.schedules) return false;
  if (!same_side(f.first, e.first) || !same_side(f.second, e.second) || !same_waiters(f, e)) return false;
  const bool sides = e.first || e.second;
  return sides || (close_set(f.semaphore) == close_set(e.semaphore) && f.at == e.at && f.block == e.block &&
                   f.grid_step == e.grid_step);
}

event::Box event_box(const std::vector<Range>& ranges) {
  event::Box box;
  box.rank = static_cast<int>(ranges.size());
  std::copy(ranges.begin(), ranges.end(), box.ranges.begin());
  return box;
}

// Whether two lists of disjoint boxes take the same elements: equal slices are one strided box to one, many to another.
bool same_elements(const std::vector<std::vector<Range>>& a, const std::vector<std::vector<Range>>& b) {
  const auto fits = [&](const std::vector<Range>& r) {
    return r.size() == a.front().size() && r.size() <= event::kMaxRank;
  };
  if (a.empty() || b.empty() || !std::ranges::all_of(a, fits) || !std::ranges::all_of(b, fits)) return a == b;
  std::int64_t in_a = 0, in_b = 0, in_both = 0;
  for (const auto& x : a) in_a += count_of(event_box(x));
  for (const auto& y : b) in_b += count_of(event_box(y));
  for (const auto& x : a)
    for (const auto& y : b)
      if (const auto both = event::intersection(event_box(x), event_box(y))) in_both += count_of(*both);
  return in_a == in_both && in_b == in_both;
}

// The first detail that differs, among those that the case names.
std::string different_detail(const Finding& f, const Finding& e, const Json& json) {
  for (const auto& [name, got, right] :
       {std::tuple("first", &f.first, &e.first), std::tuple("second", &f.second, &e.second)})
    if (*right && json[name].contains("nth") && (*got)->nth != (*right)->nth)
      return fmt::format("{}: nth {}, expected {}", name, (*got)->nth, (*right)->nth);
  for (const Waiter& w : e.waiters) {
    const bool there = std::any_of(f.waiters.begin(), f.waiters.end(), [&](const Waiter& r) {
      return close_set(r.semaphore) == close_set(w.semaphore) &&
             std::tie(r.device, r.core, r.nth, r.has, r.needs) == std::tie(w.device, w.core, w.nth, w.has, w.needs);
    });
    if (!there)
      return fmt::format("{} at {} has {} and needs {}, nth {}: no such waiter", w.semaphore, w.at, w.has, w.needs,
                         w.nth);
  }
  const std::pair<const char*, bool> details[] = {{"box", f.box == e.box},
                                                  {"boxes", same_elements(f.boxes, e.boxes)},
                                                  {"bytes", f.bytes == e.bytes},
                                                  {"count", f.count == e.count},
                                                  {"extent", f.extent == e.extent},
                                                  {"block", f.block == e.block},
                                                  {"blocks", f.blocks == e.blocks},
                                                  {"grid_step", f.grid_step == e.grid_step},
                                                  {"output", f.output == e.output},
                                                  {"written_in", f.written_in == e.written_in},
                                                  {"at", f.at == e.at},
                                                  {"left_after", f.left_after == e.left_after},
                                                  {"semaphore", close_set(f.semaphore) == close_set(e.semaphore)},
                                                  {"same_memory", f.same_memory == e.same_memory}};
  for (const auto& [name, same] : details)
    if (json.contains(name) && !same) return fmt::format("another {} than {}", name, json[name].dump());
  return "";
}

// RULES: a checker that also reports the undefined elements which an expected race touches is not wrong.
bool allowed(const Finding& f, const std::vector<Finding>& expected) {
  return f.id == "uninitialized.read" && std::any_of(expected.begin(), expected.end(), [&](const Finding& e) {
           return e.id.starts_with("race.") && same_memory(f, e) && f.box == e.box;
         });
}

// Takes the reported finding that is the expected one out of `left`.
void take(const Finding& e, const Json& json, std::vector<const Finding*>& left, Comparison& result) {
  const auto found = std::find_if(left.begin(), left.end(), [&](const Finding* f) { return matches(*f, e); });
  if (found == left.end()) {
    const bool checked = checkers::find_rule(e.id) != nullptr;
    result.wrong.push_back(checked ? "not reported: " + text_of(e) : "not checked yet: " + e.id);
    return;
  }
  if (const std::string why = different_detail(**found, e, json); !why.empty())
    result.inexact.push_back(fmt::format("{}: {}", text_of(e), why));
  left.erase(found);
}

}  // namespace

std::string compare_arrays(const Array& got, const Array& right, double rtol, double atol) {
  if (got.shape() != right.shape())
    return fmt::format("shape {}, expected {}", to_string(got.shape()), to_string(right.shape()));
  if (got.dtype() == right.dtype() && same_bits(got, right)) return "";
  std::int64_t different = 0, first = -1;
  for (std::int64_t i = 0; i < got.size(); ++i) {
    if (agree(got.flat(i), right.flat(i), rtol, atol)) continue;
    if (first < 0) first = i;
    ++different;
  }
  if (different == 0) return "";
  return fmt::format("{} of {} elements differ, the first at {}: {}, expected {}", different, got.size(),
                     to_string(position_of(first, got.shape())), got.flat(first), right.flat(first));
}

Comparison compare_findings(const std::vector<Finding>& reported, const Json& expected) {
  Comparison result;
  std::vector<const Finding*> left;
  for (const Finding& f : reported)
    if (f.severity == Severity::kError) left.push_back(&f);
  std::vector<Finding> right;
  for (const Json& json : expected) {
    try {
      const Finding& e = right.emplace_back(finding_of(json));
      take(e, json, left, result);
    } catch (const Json::exception& fault) {
      result.wrong.push_back(fmt::format("case.json: findings: {}", fault.what()));
    }
  }
  for (const Finding* f : left)
    if (!allowed(*f, right)) result.wrong.push_back(fmt::format("reported, not expected: {}", text_of(*f)));
  return result;
}

}  // namespace millrace::front
