// SPDX-License-Identifier: Apache-2.0
#include "lab/modeled.h"

#include <fmt/format.h>

#include <cmath>

#include "lab/axpy.h"
#include "millrace/modeled_time.h"
#include "plan/bars.h"

namespace millrace::lab {
namespace {

constexpr int kColumns = 96;  // of a timeline in characters

struct Schedule {
  const char* name;
  Configuration configuration;
};

ModeledTime model(const Schedule& s, const NamedPair& input) {
  const Shape& shape = input.pair.x.shape();
  const Extent padded = plan::plan_tiles({shape[0], shape[1]}, s.configuration.block).padded;
  const Shape whole = {padded.rows, padded.columns};
  ModelOptions options;
  options.title = fmt::format("2 * x + y, {}", s.name);
  return modeled_time(pipelined_axpy(input.pair.x.dtype(), padded, s.configuration),
                      {input.pair.x.padded(whole), input.pair.y.padded(whole)}, options);
}

std::string line(const Schedule& s, const ModeledTime& m) {
  return fmt::format(
      "{:<12} {:>6.2f} us, waiting {:>6.2f} us, overlap {:>3.0f} %, bounded by {}; a step {:.3f} us, theory {:.3f} us",
      s.name, 1e6 * m.seconds(), 1e6 * m.waiting(), 100 * m.overlap(), m.bounded_by(), 1e6 * m.step_seconds(),
      1e6 * m.step_theory());
}

// Alike: within half a percent.
std::string fastest(const std::vector<std::string>& choices, double one, double two, double three) {
  if (one <= two && one <= three) return choices[0];
  if (std::abs(two - three) <= 0.005 * two) return choices[3];
  return two < three ? choices[1] : choices[2];
}

}  // namespace

Experiment modeled_schedules(const NamedPair& input, const Course& course, LabReport& report) {
  Experiment e{.id = "modeled-time",
               .title = "The three schedules in modeled time (not measured)",
               .question = "Which schedule is fastest in the model, where all steps take alike?",
               .prediction = "Two slots hide loads; a third helps only where the inputs' slots are what bounds a step.",
               .choices = {"synchronous", "two slots", "three slots", "two and three alike"}};
  const Bench bench(course, e);
  const std::vector<Schedule> schedules = {
      {"synchronous", {.synchronous = true}}, {"two slots", {}}, {"three slots", {.input_slots = 3}}};
  std::vector<ModeledTime> all;
  for (const Schedule& s : schedules) {
    all.push_back(model(s, input));
    e.notes.push_back(line(s, all.back()));
  }
  const double one = all[0].seconds(), two = all[1].seconds(), three = all[2].seconds();
  e.claims.push_back({"in the model buffering is not slower than waiting", two <= one,
                      fmt::format("{} s against {} s", two, one), true});
  e.claims.push_back({"in the model a third slot is not slower than two", three <= two,
                      fmt::format("{} s against {} s", three, two), true});
  e.outcome = fastest(e.choices, one, two, three);
  e.answer = fmt::format(
      "In the model two slots take {:.0f} % of the synchronous time, three {:.0f} %; a step is then bounded by {}.",
      100 * two / one, 100 * three / one, all[2].step_bounded_by());
  for (const ModeledTime& m : all) e.picture += (e.picture.empty() ? "" : "\n") + m.text(kColumns);
  const std::string title = "One kernel, three schedules, in modeled time";
  report.pictures.push_back({"timeline.svg", svg_of(all, title)});
  report.pictures.push_back({"timeline-narrow.svg", svg_of(all, title, plan::kNarrow)});
  report.pictures.push_back({"timeline.json", all[1].json()});
  return e;
}

}  // namespace millrace::lab
