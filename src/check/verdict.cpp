// SPDX-License-Identifier: Apache-2.0
#include "check/verdict.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "check/file_and_line.h"

namespace millrace::checkers {

namespace {

bool is_race(const Finding& f) { return f.id.starts_with("race."); }

// Judged by what a kernel has done when it ends.
bool needs_the_end(const Finding& f) {
  static const std::set<std::string, std::less<>> ids = {"leftover.dma", "leftover.semaphore", "uninitialized.read",
                                                         "uncovered.output", "padding.reduction"};
  return ids.contains(f.id);
}

bool overlap(const std::vector<Range>& a, const std::vector<Range>& b) {
  if (a.size() != b.size() || a.size() > event::kMaxRank) return false;
  event::Box x, y;
  x.rank = y.rank = static_cast<int>(a.size());
  std::copy(a.begin(), a.end(), x.ranges.begin());
  std::copy(b.begin(), b.end(), y.ranges.begin());
  return event::overlap(x, y);
}

bool same_place(const std::optional<Side>& a, const std::optional<Side>& b) {
  return a && b && a->at == b->at && a->access == b->access;
}

// Whether the elements are undefined because of a race: the read that took them is one of its two sides.
bool explained_by(const Finding& undefined, const Finding& race) {
  const bool same_read = same_place(undefined.second, race.first) || same_place(undefined.second, race.second);
  return is_race(race) && undefined.memory == race.memory && same_read && overlap(undefined.box, race.box);
}

// Line 9 comes before line 12.
std::pair<std::string, int> sorted_by(const std::string& at) { return file_and_line(at).value_or(std::pair(at, 0)); }

std::string place_of(const Finding& f) {
  if (f.first && !f.first->at.empty()) return f.first->at;
  if (f.second && !f.second->at.empty()) return f.second->at;
  if (!f.waiters.empty()) return f.waiters[0].at;
  return f.at;
}

auto order_of(const Finding& f) {
  const Side none;
  const Side &first = f.first ? *f.first : none, &second = f.second ? *f.second : none;
  return std::tuple(sorted_by(place_of(f)), f.id, f.memory, f.semaphore, first.nth, sorted_by(second.at), second.nth,
                    first.core, f.grid_step, f.message);
}

}  // namespace

std::vector<Finding> joined(std::vector<Finding> findings) {
  const bool deadlocked = std::any_of(findings.begin(), findings.end(), [](auto& f) { return f.id == "deadlock"; });
  std::vector<Finding> kept;
  for (const Finding& f : findings) {
    const bool raced = f.id == "uninitialized.read" &&
                       std::any_of(findings.begin(), findings.end(), [&](auto& r) { return explained_by(f, r); });
    if (!raced && !(deadlocked && needs_the_end(f))) kept.push_back(f);
  }
  std::stable_sort(kept.begin(), kept.end(), [](auto& a, auto& b) { return order_of(a) < order_of(b); });
  return kept;
}

millrace::Verdict verdict_on(const std::vector<Finding>& findings) {
  const bool faulty =
      std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::kError; });
  return faulty ? millrace::Verdict::kFaulty : millrace::Verdict::kClean;
}

void OtherNames::on(const event::RegionAllocated& e) {
  if (e.also.empty()) return;
  std::vector<std::string> all = e.also;
  all.push_back(e.name);
  std::sort(all.begin(), all.end());
  for (const std::string& name : all) names_[name] = all;
}

void OtherNames::add_to(Finding& finding) const {
  if (const auto names = names_.find(finding.memory); names != names_.end()) finding.same_memory = names->second;
}

std::vector<Finding> Checks::undefined() const {
  std::vector<Finding> all = undefined_.findings();
  all.insert(all.end(), coverage_.findings().begin(), coverage_.findings().end());
  return all;
}

std::uint64_t Checks::next_at(const event::Agent& who, event::PlaceId at, const std::string& memory, bool dma) const {
  const Accesses& accesses = races_.accesses();
  return dma ? accesses.starts(who, at) : accesses.executions(who, at, memory);
}

std::vector<Finding> Checks::findings(std::vector<Finding> more) {
  std::vector<Finding> all = std::move(more);
  for (const auto& some :
       {races_.findings(), leftovers_.findings(), window_rules_.findings(), semaphore_units_.findings()})
    all.insert(all.end(), some.begin(), some.end());
  for (Finding& f : step_orders_.findings()) {  // what this run's own order has stands already
    const auto same = [&](const Finding& known) { return known.id == f.id && known.memory == f.memory; };
    if (std::ranges::none_of(all, same)) all.push_back(std::move(f));
  }
  for (Finding& f : all) other_names_.add_to(f);
  const auto by_race = [&](const Finding& f) {
    return std::ranges::any_of(all, [&](const Finding& race) { return explained_by(f, race); });
  };
  misled_ = undefined_.misled() || std::ranges::any_of(undefined_.steering(), by_race);
  return joined(std::move(all));
}

}  // namespace millrace::checkers
