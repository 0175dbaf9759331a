// SPDX-License-Identifier: Apache-2.0
#include "lab/learner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "lab/transcript.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

char letter(std::size_t choice) { return static_cast<char>('a' + choice); }

std::string legal_answers(const Experiment& experiment) {
  return fmt::format("a to {}, or the words: {}", letter(experiment.choices.size() - 1),
                     fmt::join(experiment.choices, ", "));
}

}  // namespace

std::string choice_of(const Experiment& experiment, std::string_view text) {
  text = trimmed(text);
  for (std::size_t i = 0; i < experiment.choices.size(); ++i)
    if (equal_in_any_case(text, std::string_view(experiment.choices[i])) ||
        equal_in_any_case(text, std::string(1, letter(i))))
      return experiment.choices[i];
  return {};
}

std::string question_text(const Experiment& experiment) {
  std::string text = fmt::format("\n{}\n  {}\n", experiment.title, experiment.question);
  for (std::size_t i = 0; i < experiment.choices.size(); ++i)
    text += fmt::format("    {}) {}\n", letter(i), experiment.choices[i]);
  return text;
}

std::string compared_text(const Experiment& experiment) {
  if (experiment.guess.empty()) return {};
  const bool right = experiment.guess == experiment.outcome;
  return fmt::format("  you said: {}; the run says: {}{}\n  why: {}\n", experiment.guess, experiment.outcome,
                     right ? ". As predicted." : ". Not as predicted.", experiment.answer);
}

void ReadingLearner::shown(const LabReport& report, const Experiment& experiment) {
  if (report.experiments.size() == 1) results_ << header(report);
  results_ << section(report, experiment) << std::flush;
}

std::string AskingLearner::predict(const Experiment& experiment) {
  questions_ << question_text(experiment);
  for (std::string line;;) {
    questions_ << "  your prediction: " << std::flush;
    if (!std::getline(answers_, line))
      throw Error(ErrorCode::kUser, fmt::format("no prediction for `{}`: the answers ended", experiment.id));
    const std::string choice = choice_of(experiment, line);
    if (!choice.empty()) return choice;
    questions_ << "  that is none of them; legal are " << legal_answers(experiment) << "\n";
  }
}

Answers parse_answers(std::string_view text, const std::string& name) {
  Answers answers;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
      throw Error(ErrorCode::kUser, fmt::format("{}:{}: a line reads `ID: ANSWER`, as `third-slot: no`", name, number));
    const std::string id(trimmed(line.substr(0, colon)));
    if (!answers.emplace(id, trimmed(line.substr(colon + 1))).second)
      throw Error(ErrorCode::kUser, fmt::format("{}:{}: `{}` is answered twice", name, number, id));
  }
  return answers;
}

std::string WrittenLearner::predict(const Experiment& experiment) {
  const auto written = answers_.find(experiment.id);
  if (written == answers_.end())
    throw Error(ErrorCode::kUser, fmt::format("{} has no line `{}: ANSWER`; legal are {}", name_, experiment.id,
                                              legal_answers(experiment)));
  const std::string choice = choice_of(experiment, written->second);
  if (choice.empty())
    throw Error(ErrorCode::kUser, fmt::format("{} answers `{}` with `{}`; legal are {}", name_, experiment.id,
                                              written->second, legal_answers(experiment)));
  return choice;
}

}  // namespace millrace::lab
