// SPDX-License-Identifier: Apache-2.0
#include "judge.h"

#include <fmt/format.h>

#include "check/plain_races.h"
#include "generate.h"
#include "machine/machine.h"
#include "millrace/error.h"
#include "module.h"
#include "program/lower.h"

namespace millrace::programs {

namespace {

std::string text_of(const Side& s) {
  return fmt::format("{} at {} #{} core {} device {}", s.access, s.at, s.nth, s.core, s.device);
}

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings) {
    event::Box box;
    box.rank = static_cast<int>(f.box.size());
    std::copy(f.box.begin(), f.box.end(), box.ranges.begin());
    text += fmt::format("  {} {}{}: {} | {} | {}\n", f.id, f.memory, event::to_string(box), text_of(*f.first),
                        text_of(*f.second), f.schedules);
  }
  return text;
}

struct Setting {
  std::string schedule;
  bool whole;
};

std::vector<Setting> settings(std::uint64_t seed) {
  std::vector<Setting> all;
  for (const bool whole : {false, true})
    for (const std::string& schedule : {std::string("canonical"), std::string("eager"), std::string("lazy"),
                                        fmt::format("random:{}", seed), fmt::format("random:{}", seed + 1)})
      all.push_back({schedule, whole});
  return all;
}

struct Watched {
  std::string races;  // as the plain checker has them
  std::string other;  // as the detector has them
  bool ended = false;
};

Watched watch(const Program& p, const machine::Linked& linked, const Setting& how, const MakeDetector& detector) {
  checkers::PlainRaces plain;
  const std::unique_ptr<Detector> other = detector();
  const std::vector<event::Observer*> observers{&plain, other.get()};
  const std::vector<Array> inputs = inputs_of(p);
  const std::vector<program::OperandSpec> outputs = output_specs(p);
  const auto choice = machine::choice_named(how.schedule);
  machine::Request request{inputs, outputs, choice.get(), observers, 100'000};
  request.whole_signals = how.whole;
  const machine::Outcome outcome = machine::execute(linked, request);
  if (outcome.fault) throw Error(ErrorCode::kInternal, "the program left its memory: " + outcome.fault->message);
  return {text_of(plain.findings()), text_of(other->races()), outcome.ended()};
}

}  // namespace

Judged judge_races(const Program& p, std::uint64_t seed, const MakeDetector& detector) {
  const program::Program lowered = program::lower(module_of(p), input_specs(p), output_specs(p), environment_of(p));
  const machine::Linked linked = machine::link(lowered);
  Judged judged;
  std::string first[2];  // by view of signals: what the first schedule gave
  bool all_ended[2] = {true, true};
  for (const Setting& how : settings(seed)) {
    const Watched w = watch(p, linked, how, detector);
    const std::string where = fmt::format("{}{}", how.schedule, how.whole ? ", whole signals" : "");
    if (w.races != w.other) {
      judged.fault = fmt::format("{}: the plain checker finds\n{}but the one in use\n{}", where, w.races, w.other);
      return judged;
    }
    if (how.schedule == "canonical") first[how.whole] = w.races;
    if (how.schedule == "canonical" && !how.whole) judged.racy = !w.races.empty(), judged.deadlocked = !w.ended;
    all_ended[how.whole] &= w.ended;
    if (all_ended[how.whole] && w.races != first[how.whole]) {
      judged.fault = fmt::format("{}: there are\n{}but canonical\n{}", where, w.races, first[how.whole]);
      return judged;
    }
  }
  return judged;
}

Tally judge_all(std::uint64_t first, int count, const Judge& judge) {
  const auto fault_of = [&](const Program& p, std::uint64_t seed, Judged& judged) {
    try {
      judged = judge(p, seed);
    } catch (const Error& error) {
      judged.fault = fmt::format("an error: {}", error.what());
    }
    return judged.fault;
  };
  Tally tally;
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count); ++seed) {
    const Program program = random_program(seed);
    Judged judged;
    if (!fault_of(program, seed, judged).empty()) {
      Judged ignored;
      const Program small = minimised(program, [&](const Program& p) { return !fault_of(p, seed, ignored).empty(); });
      const std::string fault = fault_of(small, seed, ignored);
      tally.fault = fmt::format("seed {}: {}\nin this program:\n{}", seed, fault, to_string(small));
      return tally;
    }
    ++tally.programs;
    const bool several = program.cores > 1, clean = !judged.racy && !judged.deadlocked;
    tally.racy += judged.racy, tally.deadlocked += judged.deadlocked, tally.clean += clean;
    tally.several += several, tally.several_racy += several && judged.racy, tally.several_clean += several && clean;
    tally.claimed += judged.claimed, tally.explored += judged.explored;
  }
  return tally;
}

std::string to_string(const Tally& t) {
  return fmt::format(
      "{} programs: {} racy, {} clean, {} deadlocked; {} of two cores or devices, of which {} racy and {} clean; "
      "{} with one class by one run, {} held against all of their runs",
      t.programs, t.racy, t.clean, t.deadlocked, t.several, t.several_racy, t.several_clean, t.claimed, t.explored);
}

}  // namespace millrace::programs
