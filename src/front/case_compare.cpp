// SPDX-License-Identifier: Apache-2.0
#include "front/case_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "array/shape.h"

namespace millrace::front {

namespace {

using Json = nlohmann::json;

const std::set<std::string, std::less<>> kChecked = {"race.read-write",    "race.write-write",  "deadlock",
                                                     "bounds.dma",         "bounds.access",     "bounds.block",
                                                     "uninitialized.read", "padding.reduction", "uncovered.output"};

bool agree(double got, double right, double rtol, double atol) {
  if (got == right || (std::isnan(got) && std::isnan(right))) return true;
  return std::fabs(got - right) <= atol + rtol * std::fabs(right) && std::isfinite(right);
}

std::string text_of(const Finding& f) {
  std::string text = f.id;
  if (!f.memory.empty()) text += " of " + f.memory;
  for (const auto* side : {&f.first, &f.second})
    if (*side) text += fmt::format(" | {} at {}", (*side)->access, (*side)->at);
  for (const Waiter& w : f.waiters) text += fmt::format(" | {} at {}", w.semaphore, w.at);
  if (!f.schedules.empty()) text += " | " + f.schedules;
  return text;
}

std::string text_of(const Json& e) {
  std::string text = e.value("id", "no id");
  if (e.contains("memory")) text += " of " + e["memory"].get<std::string>();
  for (const char* side : {"first", "second"})
    if (e.contains(side)) text += fmt::format(" | {} at {}", e[side].value("access", ""), e[side].value("at", ""));
  for (const Json& w : e.value("waiters", Json::array()))
    text += fmt::format(" | {} at {}", w.value("semaphore", ""), w.value("at", ""));
  if (e.contains("schedules")) text += " | " + e["schedules"].get<std::string>();
  return text;
}

bool same_memory(const Finding& f, const Json& e) {
  if (f.memory == e.value("memory", "")) return true;
  const Json others = e.value("same_memory", Json::array());
  return std::find(others.begin(), others.end(), f.memory) != others.end();
}

bool same_side(const std::optional<Side>& side, const Json& e, const char* name) {
  if (!e.contains(name)) return !side;
  return side && side->access == e[name].value("access", "") && side->at == e[name].value("at", "");
}

// Who waits, and where: in any order.
bool same_waiters(const Finding& f, const Json& e) {
  std::multiset<std::string> reported, expected;
  for (const Waiter& w : f.waiters) reported.insert(fmt::format("{} {} {}", w.core, w.semaphore, w.at));
  for (const Json& w : e.value("waiters", Json::array()))
    expected.insert(fmt::format("{} {} {}", w.value("core", 0), w.value("semaphore", ""), w.value("at", "")));
  return reported == expected;
}

bool same_step(const Finding& f, const Json& e) {
  return f.block == e.value("block", f.block) && f.grid_step == e.value("grid_step", f.grid_step);
}

bool matches(const Finding& f, const Json& e) {
  if (f.id != e.value("id", "")) return false;
  if (f.id == "deadlock") return same_waiters(f, e);
  if (f.id == "padding.reduction" && (f.at != e.value("at", "") || !same_step(f, e))) return false;
  return same_memory(f, e) && same_side(f.first, e, "first") && same_side(f.second, e, "second") &&
         f.schedules == e.value("schedules", "");
}

std::vector<Range> box_of(const Json& json) {
  std::vector<Range> box;
  for (const Json& r : json)
    box.push_back({r.at(0), r.at(1), r.size() > 2 ? r[2].get<std::int64_t>() : std::int64_t{1}});
  return box;
}

std::string same_details(const Finding& f, const Json& e) {
  for (const auto& [name, side] : {std::pair("first", &f.first), std::pair("second", &f.second)})
    if (e.contains(name) && *side && e[name].value("nth", std::uint64_t{0}) != (*side)->nth)
      return fmt::format("{}: nth {}, expected {}", name, (*side)->nth, e[name]["nth"].dump());
  if (e.contains("box") && box_of(e["box"]) != f.box) return fmt::format("another box than {}", e["box"].dump());
  std::vector<std::vector<Range>> boxes;
  for (const Json& b : e.value("boxes", Json::array())) boxes.push_back(box_of(b));
  if (e.contains("boxes") && boxes != f.boxes) return fmt::format("other boxes than {}", e["boxes"].dump());
  if (!same_step(f, e)) return "another grid step or block";
  for (const Json& w : e.value("waiters", Json::array())) {
    const bool there = std::any_of(f.waiters.begin(), f.waiters.end(), [&](const Waiter& r) {
      return r.semaphore == w.value("semaphore", "") && r.nth == w.value("nth", std::uint64_t{0}) &&
             r.has == w.value("has", std::int64_t{0}) && r.needs == w.value("needs", std::int64_t{0});
    });
    if (!there) return fmt::format("no waiter is {}", w.dump());
  }
  return "";
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
  for (const Json& e : expected) {
    const auto found = std::find_if(left.begin(), left.end(), [&](const Finding* f) { return matches(*f, e); });
    if (found != left.end()) {
      if (const std::string why = same_details(**found, e); !why.empty())
        result.inexact.push_back(fmt::format("{}: {}", text_of(e), why));
      left.erase(found);
    } else if (const std::string id = e.value("id", "no id"); !kChecked.contains(id)) {
      result.wrong.push_back(fmt::format("not checked yet: {}", id));
    } else {
      result.wrong.push_back(fmt::format("not reported: {}", text_of(e)));
    }
  }
  for (const Finding* f : left) result.wrong.push_back(fmt::format("reported, not expected: {}", text_of(*f)));
  return result;
}

}  // namespace millrace::front
