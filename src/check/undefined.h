// SPDX-License-Identifier: Apache-2.0
// uninitialized.read and padding.reduction: undefined elements that end in an output, or steer a branch, an address or
// a semaphore amount (S7).
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/by_number.h"
#include "check/in_flight.h"
#include "event/event.h"
#include "millrace/report.h"

namespace millrace::checkers {

class Undefined final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { places_.assign(e.places.begin(), e.places.end()); }
  void on(const event::RegionAllocated& e) override { entry(memories_, e.memory) = {e.name, number_of(e.name), {}, 0}; }
  void on(const event::WindowBound& e) override;
  void on(const event::WindowEntered& e) override;
  void on(const event::StepBegan& e) override {
    done_.of(e.who).step.assign(e.index.begin(), e.index.end());
    stepped_ = true;
  }
  void on(const event::Access& e) override {
    if (e.kind != event::AccessKind::kRead) return;
    Done& done = done_.of(e.who);
    ++done.reads.of(e.at, entry(memories_, e.memory).number), ++done.order;
  }
  void on(const event::DmaIssued& e) override {
    Done& done = done_.of(e.by);
    Issue& issue = issues_.add(e.dma);
    issue.nth = entry(done.starts, e.at)++, issue.order = ++done.order;
    if (stepped_) issue.grid_step = done.step;
  }
  void on(const event::DmaSignalled& e) override {
    if (e.last) issues_.remove(e.dma);
  }
  void on(const event::Blocked&) override { deadlocked_ = true; }
  void on(const event::UndefinedRead& e) override;
  void on(const event::UndefinedUsed& e) override;

  // One a place and memory, in program order. None where the kernel deadlocked: it is not judged then.
  std::vector<Finding> findings() const;
  // Whether the run was steered by elements that a DMA in flight was about to write, and nobody had written before:
  // what it did then, no kernel means (S7.5).
  bool misled() const { return misled_; }
  // What else steered the run, as findings, also where the kernel deadlocked.
  std::vector<Finding> steering() const;

 private:
  using Core = std::pair<int, int>;  // device, core
  static Core core_of(const event::Agent& a) { return {a.device, a.core}; }
  using Step = std::vector<std::int64_t>;  // empty where the kernel has no steps
  struct Memory {
    std::string name;          // of a window's slot: the operand's
    std::uint32_t number = 0;  // of that name
    Core core;
    std::uint32_t window = 0;
    bool slot = false;
  };
  struct Shown {  // what a window shows
    std::vector<std::int64_t> block;
    bool again = false;  // an output's block that was left before: its loss is revisit.output
    std::set<std::vector<std::int64_t>> seen = {};  // of outputs that are not read back
    bool keeps = true;
  };
  struct Origin {
    event::UndefinedRead event;
    std::string memory;
    std::uint64_t nth = 0;
    std::uint64_t order = 0;  // in the program order of its core; of a DMA: its start
    std::vector<std::int64_t> grid_step, block;
    bool lost = false;  // by leaving the block and entering it again
  };
  struct Used {
    event::UndefinedSource source;
    event::Use use;
    event::PlaceId at;
    std::string output;
  };
  struct Issue {
    std::uint64_t nth = 0, order = 0;
    Step grid_step;
  };
  std::uint32_t number_of(const std::string& name) {
    return numbers_.try_emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  // What a core has done so far: how often a place has read this memory, by its name; how many DMAs a place has
  // started; how many reads and starts there were in all; and the step that it is in.
  struct Done {
    Executions reads;
    std::vector<std::uint64_t> starts;
    std::uint64_t order = 0;
    Step step;
  };
  Finding finding(const Used& used) const;
  void describe(Finding& f, const Used& used, const Origin& origin) const;

  std::vector<event::Place> places_;
  std::vector<Memory> memories_;
  std::map<std::string, std::uint32_t> numbers_;
  std::map<std::pair<Core, std::uint32_t>, Shown> windows_;
  ByCore<Done> done_;
  InFlight<Issue> issues_;
  std::map<event::OriginId, Origin> origins_;
  std::vector<Used> used_;
  bool deadlocked_ = false, stepped_ = false;
  bool misled_ = false;
};

}  // namespace millrace::checkers
