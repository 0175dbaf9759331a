// SPDX-License-Identifier: Apache-2.0
// Who goes through the lesson one step at a time: says what will come out before it runs, and is shown what did.
#pragma once

#include <functional>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "lab/report.h"

namespace millrace::lab {

class Learner {
 public:
  virtual ~Learner() = default;
  // One of experiment.choices. Nothing of the experiment has run yet.
  virtual std::string predict(const Experiment& experiment) = 0;
  // Called after each experiment of the lesson, also those without a question.
  virtual void shown(const LabReport& report, const Experiment& experiment) = 0;
};

// Which choice `text` means: its letter (a, b, ...), or its words in any case; empty where it is none of them.
std::string choice_of(const Experiment& experiment, std::string_view text);

// The question with its lettered choices, as it is put.
std::string question_text(const Experiment& experiment);

// The learner's word beside the run's: empty where none was asked.
std::string compared_text(const Experiment& experiment);

// Is shown the transcript, piece by piece, on `results`, with the pictures of it that characters can draw.
class ReadingLearner : public Learner {
 public:
  explicit ReadingLearner(std::ostream& results) : results_(results) {}
  void shown(const LabReport& report, const Experiment& experiment) override;

 private:
  std::ostream& results_;
};

// Puts the questions on `questions` and reads the answers from `answers`, line by line, asking again where a line is
// no choice. Error(kUser) where the answers end too early.
class AskingLearner final : public ReadingLearner {
 public:
  AskingLearner(std::istream& answers, std::ostream& questions, std::ostream& results)
      : ReadingLearner(results), answers_(answers), questions_(questions) {}
  std::string predict(const Experiment& experiment) override;

 private:
  std::istream& answers_;
  std::ostream& questions_;
};

// Answers that were written down before: lines `ID: ANSWER`; empty lines and those that begin with # are comments.
// Error(kUser), with the line, for a line of another form or an experiment that is answered twice.
using Answers = std::map<std::string, std::string>;
Answers parse_answers(std::string_view text, const std::string& name);

// Predicts what `answers` say. Error(kUser) where one is missing or no choice.
class WrittenLearner final : public ReadingLearner {
 public:
  WrittenLearner(Answers answers, std::string name, std::ostream& results)
      : ReadingLearner(results), answers_(std::move(answers)), name_(std::move(name)) {}
  std::string predict(const Experiment& experiment) override;

 private:
  Answers answers_;
  std::string name_;
};

}  // namespace millrace::lab
