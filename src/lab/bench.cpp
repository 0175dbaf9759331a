// SPDX-License-Identifier: Apache-2.0
#include "lab/bench.h"

#include <fmt/format.h>

#include "lab/disagreement.h"
#include "lab/oracle.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

std::string first_error(const LabRun& run, const Array& expected) {
  if (!run.comparison.first_unequal) return "";
  const std::int64_t columns = expected.shape()[1], at = *run.comparison.first_unequal;
  return fmt::format("element [{}, {}] is {}, the oracle has {}; max |error| {}", at / columns, at % columns,
                     run.output.flat(at), expected.flat(at), run.comparison.max_abs_error);
}

}  // namespace

Bench::Bench(const Course& course, Experiment& experiment) : simulator_(course.simulator), experiment_(experiment) {
  if (course.learner && !experiment.question.empty()) experiment.guess = course.learner->predict(experiment);
}

const LabRun* Bench::run(const std::string& name, const Configuration& c, const NamedPair& input,
                         const std::string& order) {
  const RunOptions options{.schedule = order, .detect_races = true};
  Simulated simulated;
  try {
    simulated = simulator_(c, input.pair, options);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFinding) throw;
    claim(fmt::format("{} runs to its end", name), false, error.what());
    return nullptr;
  }
  const Array expected = oracle(input.pair.x, input.pair.y);
  const Results& results = simulated.results;
  const LabRun& run = experiment_.runs.emplace_back(LabRun{name, input.name, c, order, simulated.output, results.work,
                                                           results.races.size(), compare(simulated.output, expected)});
  const std::string error = first_error(run, expected);
  experiment_.claims.push_back({fmt::format("{} is within rtol {} and atol {} of the oracle", name, kRtol, kAtol),
                                run.comparison.within_tolerance, error, true});
  experiment_.claims.push_back({name + " equals the oracle exactly", run.comparison.exact, error, true});
  experiment_.claims.push_back(
      {name + " has no race", results.races.empty(), results.races.empty() ? "" : results.races.front().message, true});
  return &run;
}

void Bench::claim(const std::string& what, bool held, const std::string& detail) {
  experiment_.claims.push_back({what, held, held ? "" : detail});
}

void Bench::claim_same_bits(const LabRun* a, const LabRun* b, const NamedPair& input) {
  if (!a || !b) return;
  const bool same = same_bits(a->output, b->output);
  claim(fmt::format("{} = {}, bit for bit", a->name, b->name), same, same ? "" : disagreement(*a, *b, input));
}

std::string Bench::disagreement(const LabRun& a, const LabRun& b, const NamedPair& input) const {
  const auto again = [&](const LabRun& run) {
    return simulator_(run.configuration, input.pair,
                      RunOptions{.schedule = run.order, .detect_races = true, .track_writers = true});
  };
  const Simulated first = again(a), second = again(b);
  const auto sentence = describe_disagreement({a.name, first.output, first.results},
                                              {b.name, second.output, second.results}, a.configuration.block);
  return sentence.value_or("they agree when run again: the simulator is not deterministic");
}

}  // namespace millrace::lab
