// SPDX-License-Identifier: Apache-2.0
// Runs random programs, and holds against each other what must agree.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/races.h"
#include "event/event.h"
#include "millrace/report.h"
#include "program.h"

namespace millrace::programs {

// A race checker under test.
class Detector : public event::Observer {
 public:
  virtual std::vector<Finding> races() = 0;
};

// The one in use, event for event. What derives from it can mishear some.
class InUse : public Detector {
 public:
  void on(const event::RunBegan& e) override { races_.on(e); }
  void on(const event::RegionAllocated& e) override { races_.on(e); }
  void on(const event::WindowBound& e) override { races_.on(e); }
  void on(const event::StepBegan& e) override { races_.on(e); }
  void on(const event::Access& e) override { races_.on(e); }
  void on(const event::DmaIssued& e) override { races_.on(e); }
  void on(const event::DmaRead& e) override { races_.on(e); }
  void on(const event::DmaWrote& e) override { races_.on(e); }
  void on(const event::Signalled& e) override { races_.on(e); }
  void on(const event::Waited& e) override { races_.on(e); }
  std::vector<Finding> races() override { return races_.findings(); }

 private:
  checkers::Races races_;
};

using MakeDetector = std::function<std::unique_ptr<Detector>()>;
inline std::unique_ptr<Detector> in_use() { return std::make_unique<InUse>(); }

// What a program is like, and what is wrong: empty where all agree.
struct Judged {
  bool racy = false, deadlocked = false;  // under the canonical schedule
  bool claimed = false;                   // one run was said to speak of all schedules
  bool explored = false;                  // its classes were held against all runs
  std::string fault;
};

// The detector finds what the plain race checker finds, in every field, under every schedule and in both views of when
// a DMA signals; and where the program ends, the same under each.
Judged judge_races(const Program& program, std::uint64_t seed, const MakeDetector& detector = in_use);

// Where one run is said to speak of all schedules, each gives the same findings and outputs, and the explorer one
// class. Where the program ends in every run, the explorer's races are those of the run. `all_runs`: the classes of
// a program of at most ten events are those of all of its interleavings.
// With a mistake this must find faults: every run taken to speak of all, or the explorer told the other view of DMAs.
enum class Mistake { kNone, kTrustsEveryRun, kOtherSignals };
Judged judge_schedules(const Program& program, std::uint64_t seed, bool all_runs, Mistake mistake = Mistake::kNone);

// Drops and simplifies steps as long as the program still fails.
Program minimised(Program program, const std::function<bool(const Program&)>& fails);

// Judges the programs of `count` seeds from `first` on, and stops at the first fault, which is told with its seed and
// the smallest program that shows it.
struct Tally {
  int programs = 0, racy = 0, clean = 0, deadlocked = 0, several = 0, several_racy = 0, several_clean = 0, claimed = 0,
      explored = 0;
  std::string fault;
};
using Judge = std::function<Judged(const Program&, std::uint64_t seed)>;
Tally judge_all(std::uint64_t first, int count, const Judge& judge);
std::string to_string(const Tally& tally);

}  // namespace millrace::programs
