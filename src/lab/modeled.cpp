// SPDX-License-Identifier: Apache-2.0
#include "lab/modeled.h"

#include <fmt/format.h>

#include "lab/axpy.h"
#include "millrace/modeled_time.h"

namespace millrace::lab {
namespace {

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

}  // namespace

Experiment modeled_schedules(const NamedPair& input, LabReport& report) {
  Experiment e{.id = "modeled-time", .title = "The three schedules in modeled time (not measured)"};
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
  e.notes.push_back(
      fmt::format("two slots take {:.0f} % of the synchronous time, three {:.0f} %; with three a step is bounded by {}",
                  100 * two / one, 100 * three / one, all[2].step_bounded_by()));
  report.pictures.push_back({"timeline.svg", svg_of(all, "One kernel, three schedules, over one modeled time axis")});
  report.pictures.push_back({"timeline.json", all[1].json()});
  return e;
}

}  // namespace millrace::lab
