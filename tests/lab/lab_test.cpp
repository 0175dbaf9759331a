// SPDX-License-Identifier: Apache-2.0
// The lesson as a whole: what it runs and finds, and that each thing that may go wrong makes it fail by name.
#include "lab/lab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lab/figures.h"
#include "lab/transcript.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const BuildInfo kBuild{"0", "none", "some compiler", "some LLVM"};

const LabReport& lesson() {
  static const LabReport report = run_lab({}, kBuild);
  return report;
}

LabReport lesson_with(const Simulator& simulator) { return run_lab({}, kBuild, simulator); }

const Experiment& experiment(const LabReport& report, const std::string& id) {
  for (const Experiment& e : report.experiments) {
    if (e.id == id) return e;
  }
  throw std::runtime_error("no experiment " + id);
}

TEST(Lesson, HoldsInTheSimulator) {
  EXPECT_THAT(lesson().failures(), IsEmpty());
  EXPECT_THAT(transcript(lesson()), EndsWith("\nPASS: lab\n"));
}

TEST(Lesson, HasTheEndpoints) { EXPECT_EQ(lesson().endpoints, std::pair(-1.75, 2.25)); }

TEST(Lesson, HasTheTileTable) {
  const auto tiles = figures(lesson())["tile_table"]["tiles"];
  std::vector<int> programs, padded, two, three;
  std::vector<std::string> ratios;
  for (const auto& tile : tiles) {
    programs.push_back(tile["programs"]);
    padded.push_back(tile["padded_elements"]);
    two.push_back(tile["modeled_bytes"][0]["bytes"]);
    three.push_back(tile["modeled_bytes"][1]["bytes"]);
    ratios.push_back(tile["ratio"]);
  }
  EXPECT_THAT(programs, ElementsAre(9, 6, 4));
  EXPECT_THAT(padded, ElementsAre(9216, 12288, 16384));
  EXPECT_THAT(two, ElementsAre(24576, 49152, 98304));
  EXPECT_THAT(three, ElementsAre(32768, 65536, 131072));
  EXPECT_THAT(ratios, ElementsAre("4/3", "4/3", "4/3"));
}

TEST(Lesson, RunsEveryCaseAgainstTheOracleWithTheRaceObserver) {
  std::size_t runs = 0;
  for (const Experiment& e : lesson().experiments) {
    for (const LabRun& run : e.runs) {
      ++runs;
      EXPECT_TRUE(run.comparison.exact) << e.id << ": " << run.name;
      EXPECT_EQ(run.comparison.max_abs_error, 0) << e.id << ": " << run.name;
      EXPECT_EQ(run.races, 0u) << e.id << ": " << run.name;
      EXPECT_GT(run.work.steps, 0u);
    }
  }
  EXPECT_EQ(experiment(lesson(), "tiles").runs.size(), 3u);
  EXPECT_EQ(experiment(lesson(), "third-slot").runs.size(), 6u);
  EXPECT_EQ(experiment(lesson(), "one-tile").runs.size(), 3u);
  EXPECT_EQ(experiment(lesson(), "other-shape-and-dtype").runs.size(), 6u);
  EXPECT_GE(runs, 24u);
}

TEST(Lesson, DrawsItsThreeSchedulesInModeledTime) {
  const Experiment& e = experiment(lesson(), "modeled-time");
  EXPECT_THAT(e.notes, ElementsAre(AllOf(HasSubstr("synchronous"), HasSubstr("overlap   0 %")), HasSubstr("two slots"),
                                   HasSubstr("three slots")));
  ASSERT_EQ(lesson().pictures.size(), 3u);
  EXPECT_EQ(lesson().pictures[0].file, "timeline.svg");
  EXPECT_THAT(lesson().pictures[0].content, AllOf(HasSubstr("not measured"), HasSubstr("2 * x + y, three slots")));
}

TEST(Lesson, RefusesThreeByFiveAndSaysHow) {
  EXPECT_THAT(experiment(lesson(), "refused-tile").notes,
              Contains(HasSubstr("refused: block 3x5 cannot be pipelined")));
}

TEST(Lesson, KeepsTheActualBackendAndTheSimulatedLayoutApart) {
  const auto json = figures(lesson());
  EXPECT_EQ(json["actual_backend"]["kind"], "cpu");
  EXPECT_EQ(json["simulated_chip"], "TPU v5e");
  EXPECT_THAT(json["actual_backend"].dump(), Not(HasSubstr("TPU")));
  EXPECT_THAT(transcript(lesson()), AllOf(HasSubstr("actual backend: cpu ("), HasSubstr("simulated layout: TPU v5e")));
  EXPECT_THAT(json.dump(), Not(HasSubstr("\"measured\"")));
}

TEST(Lesson, IsTheSameEveryTime) {
  EXPECT_EQ(transcript(lesson()), transcript(run_lab({}, kBuild)));
  EXPECT_EQ(figures(lesson()).dump(), figures(run_lab({}, kBuild)).dump());
}

TEST(Lesson, AnswersEveryPrediction) {
  for (const Experiment& e : lesson().experiments) {
    EXPECT_EQ(e.question.empty(), e.prediction.empty()) << e.id;
    EXPECT_EQ(e.question.empty(), e.answer.empty()) << e.id;
  }
  EXPECT_THAT(predictions(lesson()), HasSubstr("fewest modeled bytes: 8x128"));
}

// One wrong element, wherever three slots are used.
Simulated wrong_with_three_slots(const Configuration& c, const Pair& input, const RunOptions& options) {
  Simulated s = simulate_axpy(c, input, options);
  if (c.input_slots == 3 && input.x.dtype() == f32 && input.x.shape() == Shape{17, 257}) {
    s.output.as<float>()[9 * 257 + 130] += 1.0f;
  }
  return s;
}

TEST(Lesson, FailsByTheFirstDifferingTileSlotAndWriter) {
  const LabReport report = lesson_with(wrong_with_three_slots);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(report.failures(),
              Contains(AllOf(HasSubstr("third-slot: 8x128 two slots = 8x128 three slots"),
                             HasSubstr("first differing tile (1, 1), element [9, 130]"), HasSubstr("from slot "))));
  EXPECT_THAT(report.failures(),
              Contains(HasSubstr("8x128 three slots equals the oracle exactly (element [9, 130] is")));
  EXPECT_THAT(transcript(report), EndsWith("\nFAIL: lab\n"));
  EXPECT_EQ(figures(report)["verdict"], "FAIL");
}

TEST(Lesson, FailsWhereAnErrorIsWithinToleranceButNotZero) {
  const LabReport report = lesson_with([](const Configuration& c, const Pair& input, const RunOptions& options) {
    Simulated s = simulate_axpy(c, input, options);
    if (input.x.dtype() == f32) s.output.as<float>()[0] = std::nextafter(s.output.as<float>()[0], 10.0f);
    return s;
  });
  EXPECT_THAT(report.failures(), Contains(HasSubstr("tiles: 8x128 equals the oracle exactly")));
  EXPECT_THAT(report.failures(), Not(Contains(HasSubstr("tiles: 8x128 is within"))));
  EXPECT_THAT(report.failures(), Contains(HasSubstr("the endpoints are -1.75 and 2.25")));
}

TEST(Lesson, FailsByEachRace) {
  const LabReport report = lesson_with([](const Configuration& c, const Pair& input, const RunOptions& options) {
    EXPECT_TRUE(options.detect_races);
    Simulated s = simulate_axpy(c, input, options);
    Finding race;
    race.message = "x_buf is read while it is written";
    if (options.schedule == "lazy") s.results.races.push_back(race);
    return s;
  });
  EXPECT_THAT(report.failures(),
              ElementsAre("schedules: buffered (lazy) has no race (x_buf is read while it is written)"));
}

TEST(Lesson, FailsWhereAKernelFailsAndGoesOn) {
  const LabReport report = lesson_with([](const Configuration& c, const Pair& input, const RunOptions& options) {
    if (c.synchronous) throw Error(ErrorCode::kFinding, "every core waits");
    return simulate_axpy(c, input, options);
  });
  EXPECT_THAT(report.failures(), Contains("one-tile: synchronous runs to its end (every core waits)"));
  EXPECT_EQ(experiment(report, "one-tile").runs.size(), 2u);
}

TEST(Lesson, FailsWhereTheRefusedTileIsAccepted) {
  const LabReport report = lesson_with([](Configuration c, const Pair& input, const RunOptions& options) {
    if (c.block == Extent{3, 5}) c.program = Program::kBlocked;  // the hidden fallback that must not be
    return simulate_axpy(c, input, options);
  });
  EXPECT_THAT(report.failures(), ElementsAre("refused-tile: the pipelined program refuses 3x5 (it was accepted)"));
}

TEST(Lesson, FailsWhereTheRunMovedOtherThanPlanned) {
  const LabReport report = lesson_with([](const Configuration& c, const Pair& input, const RunOptions& options) {
    Simulated s = simulate_axpy(c, input, options);
    if (c.block == Extent{16, 128}) ++s.results.work.dmas;
    return s;
  });
  EXPECT_THAT(report.failures(), Contains(HasSubstr("18 blocks and 147456 bytes were planned")));
}

TEST(Lab, PassesOnFaultsOfItsOwn) {
  EXPECT_THROW(lesson_with([](const Configuration&, const Pair&, const RunOptions&) -> Simulated {
                 throw Error(ErrorCode::kInternal, "broken");
               }),
               Error);
}

TEST(Lab, RunsAGivenPairOnly) {
  const LabReport report = run_lab({.given = random_pair(30, 140, bf16, 2)}, kBuild);
  ASSERT_EQ(report.experiments.size(), 1u);
  EXPECT_FALSE(report.tiles);
  EXPECT_THAT(transcript(report), EndsWith("\nPASS: lab\n"));
}

std::vector<std::string> run_names(const Configuration& c) {
  const LabReport report = run_lab({.configuration = c, .given = random_pair(9, 129, f32, 2)}, kBuild);
  EXPECT_TRUE(report.passed());
  std::vector<std::string> names;
  for (const LabRun& run : report.experiments[0].runs) names.push_back(run.name);
  return names;
}

TEST(Lab, HoldsThePipelineAskedForAgainstItsOtherSchedules) {
  EXPECT_THAT(run_names({}), ElementsAre("run", "synchronous", "three slots"));
  EXPECT_THAT(run_names({.input_slots = 3}), ElementsAre("run", "synchronous", "two slots"));
  EXPECT_THAT(run_names({.synchronous = true}), ElementsAre("run", "two slots", "three slots"));
  EXPECT_THAT(run_names({.program = Program::kBlocked, .block = {3, 5}}), ElementsAre("run"));
}

TEST(Lab, NamesTileSlotAndWriterWhereTheSchedulesOfAGivenPairDisagree) {
  const Pair given = random_pair(17, 257, f32, 2);
  const LabReport report = run_lab({.given = given}, kBuild, wrong_with_three_slots);
  EXPECT_THAT(report.failures(), Contains(AllOf(HasSubstr("asked: run = three slots, bit for bit"),
                                                HasSubstr("first differing tile (1, 1), element [9, 130]"))));
}

TEST(Lab, RunsTheConfigurationAskedForBeforeTheLesson) {
  const LabReport report = run_lab({.configuration = {.block = {16, 128}, .input_slots = 3}, .dtype = bf16}, kBuild);
  EXPECT_EQ(report.experiments[0].title, "The run asked for: pipelined 16x128, 3 input slots, buffered");
  EXPECT_EQ(report.experiments[0].runs[0].output.dtype(), bf16);
  EXPECT_EQ(report.experiments.size(), lesson().experiments.size() + 1);
  EXPECT_TRUE(report.passed());
}

TEST(Lab, RunsNothingForATpu) {
  int runs = 0;
  const Simulator counting = [&](const Configuration& c, const Pair& input, const RunOptions& options) {
    ++runs;
    return simulate_axpy(c, input, options);
  };
  EXPECT_THROW(run_lab({.configuration = {.mode = Mode::kTpu}}, kBuild, counting), Error);
  EXPECT_EQ(runs, 0);
}

TEST(HostCpu, IsTheModelNameOrJustCpu) {
  EXPECT_EQ(cpu_name_in("processor\t: 0\nmodel name\t: AMD EPYC 7B13\nmodel name\t: other\n"), "AMD EPYC 7B13");
  EXPECT_EQ(cpu_name_in("model name\t:  \n"), "cpu");
  EXPECT_EQ(cpu_name_in(""), "cpu");
  EXPECT_FALSE(host_cpu().empty());
}

}  // namespace
}  // namespace millrace::lab
