// SPDX-License-Identifier: Apache-2.0
// The lesson step by step: who is asked what, before anything runs, and what is said afterwards.
#include "lab/learner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/process.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "lab/transcript.h"
#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::lab {
namespace {

using millrace::testing::Folder;
using millrace::testing::Outcome;
using millrace::testing::read_text;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const char* const kAnswers =
    "# mine\n"
    "schedules: NO\n"
    "tiles: c\n"
    "\n"
    "third-slot: no, but it costs memory\n"
    "modeled-time: three slots\n"
    "one-tile: a\n"
    "refused-tile: no\n";

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Learner, IsAskedEachQuestionBeforeItsExperimentRuns) {
  struct Watching : Learner {
    std::string predict(const Experiment& e) override {
      EXPECT_TRUE(e.runs.empty() && e.outcome.empty() && e.answer.empty()) << e.id;
      EXPECT_GE(e.choices.size(), 2u);
      asked.push_back(e.id);
      return e.choices.back();
    }
    void shown(const LabReport& report, const Experiment& e) override {
      EXPECT_EQ(&report.experiments.back(), &e);
      seen.push_back(e.id);
    }
    std::vector<std::string> asked, seen;
  } learner;
  const LabReport report = run_lab({}, {}, simulate_axpy, &learner);
  EXPECT_THAT(learner.asked,
              ::testing::ElementsAre("schedules", "tiles", "third-slot", "modeled-time", "one-tile", "refused-tile"));
  EXPECT_EQ(learner.seen.size(), report.experiments.size());
  for (const Experiment& e : report.experiments) {
    EXPECT_EQ(e.question.empty(), e.choices.empty()) << e.id;
    if (!e.choices.empty()) {
      EXPECT_THAT(e.choices, ::testing::Contains(e.outcome)) << e.id;
      EXPECT_EQ(e.guess, e.choices.back()) << e.id;
    }
  }
}

// The outcome comes from the runs: a simulator whose third slot spoils a number makes the answer another.
TEST(Learner, IsToldWhatTheRunsSayNotWhatTheLessonExpects) {
  const Simulator spoiled = [](const Configuration& c, const Pair& input, const RunOptions& options) {
    Simulated s = simulate_axpy(c, input, options);
    if (c.input_slots == 3) s.output.as<float>()[0] += 1;
    return s;
  };
  for (const auto& [simulator, expected] : {std::pair<Simulator, std::string>{simulate_axpy, "no, but it costs memory"},
                                            std::pair<Simulator, std::string>{spoiled, "yes"}}) {
    const LabReport report = run_lab({}, {}, simulator);
    for (const Experiment& e : report.experiments) {
      if (e.id == "third-slot") {
        EXPECT_EQ(e.outcome, expected);
      }
    }
  }
}

TEST(Learner, AsksAgainWhereALineIsNoChoice) {
  Experiment experiment{.id = "x", .title = "T", .question = "Q?", .choices = {"no", "yes"}};
  std::istringstream answers("maybe\n B \n");
  std::ostringstream questions, results;
  AskingLearner learner(answers, questions, results);
  EXPECT_EQ(learner.predict(experiment), "yes");
  EXPECT_THAT(questions.str(), AllOf(HasSubstr("Q?"), HasSubstr("a) no"), HasSubstr("b) yes"),
                                     HasSubstr("none of them; legal are a to b, or the words: no, yes")));
  EXPECT_THAT(results.str(), IsEmpty());
  EXPECT_THAT(message_of([&] { learner.predict(experiment); }), HasSubstr("no prediction for `x`: the answers ended"));
}

TEST(Learner, ComparesTheGuessWithTheRun) {
  Experiment experiment{.id = "x", .answer = "Because.", .choices = {"no", "yes"}, .guess = "no", .outcome = "no"};
  EXPECT_THAT(compared_text(experiment), HasSubstr("you said: no; the run says: no. As predicted."));
  experiment.guess = "yes";
  EXPECT_THAT(compared_text(experiment), HasSubstr("you said: yes; the run says: no. Not as predicted."));
  experiment.guess = "";
  EXPECT_THAT(compared_text(experiment), IsEmpty());
}

// Predict first, then look: the picture stands before the answer.
TEST(Learner, IsShownThePictureOfTheTilesAndOfTheSchedules) {
  std::ostringstream results;
  WrittenLearner learner(parse_answers(kAnswers, "answers"), "answers", results);
  run_lab({}, {}, simulate_axpy, &learner);
  const std::string text = results.str();
  const auto between = [&](const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from);
    return text.substr(begin, text.find(to, begin) - begin);
  };
  EXPECT_THAT(between("\nThree tile shapes", "you said"), AllOf(HasSubstr("Modeled KiB"), HasSubstr("  8x128 ")));
  EXPECT_THAT(between("\nThe three schedules in", "you said"),
              AllOf(HasSubstr("2 * x + y, synchronous: modeled for v5e"), HasSubstr("\n  load in0 "),
                    HasSubstr(" |A0 (0, 0)")));
  EXPECT_THAT(transcript(run_lab({}, {})), Not(HasSubstr("load in0")));
}

TEST(Answers, AreLinesWithAnExperimentEach) {
  EXPECT_EQ(parse_answers(kAnswers, "f").at("third-slot"), "no, but it costs memory");
  EXPECT_THAT(message_of([] { parse_answers("a: b\nno colon\n", "f"); }), HasSubstr("f:2: a line reads"));
  EXPECT_THAT(message_of([] { parse_answers("a: b\na: c", "f"); }), HasSubstr("f:2: `a` is answered twice"));
}

TEST(Answers, OneThatIsMissingOrNoChoiceIsRefusedWithTheLegalOnes) {
  const Experiment experiment{.id = "x", .choices = {"no", "yes"}};
  std::ostringstream results;
  EXPECT_THAT(message_of([&] { WrittenLearner({}, "f", results).predict(experiment); }),
              HasSubstr("f has no line `x: ANSWER`; legal are a to b"));
  EXPECT_THAT(message_of([&] {
                WrittenLearner({{"x", "c"}}, "f", results).predict(experiment);
              }),
              HasSubstr("f answers `x` with `c`; legal are a to b"));
}

class StepByStep : public ::testing::Test {
 protected:
  StepByStep() { write_whole_file(folder_ / "answers", kAnswers); }
  Outcome lab(const std::string& arguments) { return millrace::testing::millrace("lab " + arguments, folder_); }
  Folder folder_;
};

TEST_F(StepByStep, KeepsPredictionAndAnswer) {
  const Outcome outcome = lab("--step --answers answers --out kept");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("you said: 16x256; the run says: 8x128. Not as predicted."),
                    HasSubstr("you said: nothing; the run says: nothing. As predicted."), EndsWith("\nPASS: lab\n")));
  EXPECT_EQ(outcome.out, read_text(folder_ / "kept/transcript.txt"));
  EXPECT_THAT(read_text(folder_ / "kept/predictions.md"),
              AllOf(HasSubstr("**Your prediction.** 16x256"), HasSubstr("**Answer from this run.** 8x128: ")));
  const auto json = nlohmann::json::parse(read_text(folder_ / "kept/figures.json"));
  EXPECT_EQ(json["experiments"][1]["guess"], "16x256");
  EXPECT_EQ(json["experiments"][1]["outcome"], "8x128");
}

TEST_F(StepByStep, PrintsOnlyJsonOnStdoutWhereJsonIsAsked) {
  const Outcome outcome = lab("--step --answers answers --json");
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["experiments"][1]["guess"], "16x256");
  EXPECT_THAT(outcome.err, HasSubstr("you said: 16x256"));
}

TEST_F(StepByStep, NeedsATerminalOrAnswers) {
  EXPECT_EQ(lab("--step").code, 2);
  EXPECT_THAT(lab("--step").err, HasSubstr("there is no terminal: give --answers FILE"));
  EXPECT_THAT(lab("--answers answers").err, HasSubstr("--answers goes with --step"));
  EXPECT_THAT(lab("--step --answers missing").err, HasSubstr("missing"));
}

TEST(Lesson, WithoutALearnerHasNoGuess) {
  const LabReport report = run_lab({}, {});
  EXPECT_THAT(transcript(report), Not(HasSubstr("you said")));
  EXPECT_THAT(figures(report).dump(), Not(HasSubstr("\"guess\"")));
}

}  // namespace
}  // namespace millrace::lab
