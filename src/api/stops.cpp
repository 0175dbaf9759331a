// SPDX-License-Identifier: Apache-2.0
#include "api/stops.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/catalogue.h"

namespace millrace::api {

namespace {

using program::Instruction;
using program::Op;

const program::ViewPlan* raised_by(const Instruction& i, const program::Program& program) {
  if (i.op == Op::kDmaStart) return &program.dmas[i.aux].semaphore;
  if (i.op == Op::kSignal) return &program.semaphores[i.aux];
  return nullptr;
}

// The places of the kernel that raise a semaphore, reached or not: "scratch1" or "scratch1[2]".
std::string raisers(const std::string& semaphore, const program::Program& program) {
  const std::string array = semaphore.substr(0, semaphore.find('['));
  std::vector<std::string> places;
  for (const Instruction& i : program.code) {
    const program::ViewPlan* view = raised_by(i, program);
    if (!view || program.memories[view->memory].name != array) continue;
    const std::string& where = program.places[i.place].where;
    if (std::find(places.begin(), places.end(), where) == places.end()) places.push_back(where);
  }
  if (places.empty()) return fmt::format("nothing in the kernel raises {}", array);
  constexpr std::size_t kMost = 4;
  const std::size_t more = places.size() - std::min(places.size(), kMost);
  places.resize(places.size() - more);
  return fmt::format("{} is raised at {}{}", array, fmt::join(places, ", "),
                     more ? fmt::format(" and {} other places", more) : "");
}

// "core 1", and of which device where there are several.
std::string core_name(const event::Agent& who, const program::Program& program) {
  return program.devices > 1 ? fmt::format("core {} of device {}", who.core, who.device)
                             : fmt::format("core {}", who.core);
}

Finding deadlock(const machine::Outcome& outcome, const program::Program& program) {
  Finding f;
  f.id = "deadlock";
  f.schedules = "all";
  std::vector<std::string> told;
  for (std::size_t i = 0; i < outcome.waiters.size(); ++i) {
    const event::Blocked& b = outcome.waiters[i];
    const event::Place& place = program.places[b.at];
    const std::string& name = outcome.waiter_names[i];
    f.waiters.push_back({name, place.at, outcome.waiter_nth[i], b.who.core, b.has, b.needs, b.who.device});
    f.message += fmt::format("{}{} waits for ever on {} at {}: it has {}, needs {}", i ? "; " : "",
                             core_name(b.who, program), name, place.where, b.has, b.needs);
    std::string who = raisers(name, program);
    if (std::find(told.begin(), told.end(), who) == told.end()) told.push_back(std::move(who));
  }
  f.message += fmt::format("; {}", fmt::join(told, "; "));
  checkers::complete(f);
  return f;
}

// What helps here more than what the catalogue says; empty where that will do.
const char* hint_of(const std::string& id) {
  if (id == "bounds.block")
    return "hold the index map against the number of blocks; it counts blocks from 0, not elements";
  if (id == "assertion.failed") return "the kernel's author says that this cannot be";
  if (id == "target.assumption") return "promise a multiple only of what is one for all inputs";
  return id == "dma.mismatch" ? "give both ends of the DMA one shape" : "";
}

Finding finding_of(const machine::Fault& fault, const program::Program& program) {
  const event::Place& place = program.places[fault.at];
  Finding f;
  f.id = fault.id;
  f.hint = hint_of(fault.id);
  checkers::complete(f);
  f.schedules = "all";
  f.memory = fault.memory;
  f.box = fault.box, f.extent = fault.extent;
  f.block = fault.block, f.blocks = fault.blocks, f.grid_step = fault.grid_step;
  if (fault.id == "bounds.block") {
    f.message = fmt::format("{} (in step {})", fault.message, to_string(f.grid_step));
    return f;
  }
  f.message = fmt::format("{} (at {})", fault.message, place.where);
  if (fault.access.empty())
    f.at = place.at;
  else
    f.second = Side{fault.access, place.at, 0, fault.core, fault.device, {}, place.where};
  return f;
}

}  // namespace

std::vector<machine::Fault> faults_of(const machine::Outcome& outcome) {
  std::vector<machine::Fault> faults = outcome.other_faults;
  if (outcome.fault) faults.insert(faults.begin(), *outcome.fault);
  return faults;
}

std::vector<Finding> stops_of(const machine::Outcome& outcome, const program::Program& program) {
  std::vector<Finding> all;
  if (!outcome.waiters.empty()) all.push_back(deadlock(outcome, program));
  for (const machine::Fault& fault : faults_of(outcome)) {
    if (fault.id == "uninitialized.read") continue;  // the checker of undefined data says more
    Finding f = finding_of(fault, program);          // one a place
    const auto known = [&](const Finding& k) {
      return k.id == f.id && k.at == f.at && k.second.has_value() == f.second.has_value() &&
             (!f.second || k.second->at == f.second->at);
    };
    if (std::none_of(all.begin(), all.end(), known)) all.push_back(std::move(f));
  }
  return all;
}

std::vector<Finding> warnings_of(const machine::Outcome& outcome, const program::Program& program) {
  std::vector<Finding> all;
  for (const machine::Fault& w : outcome.warnings) {
    all.push_back(finding_of(w, program));
    all.back().severity = Severity::kWarning;
  }
  return all;
}

}  // namespace millrace::api
