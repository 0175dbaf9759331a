// SPDX-License-Identifier: Apache-2.0
#include "millrace/modeled_time.h"

#include <nlohmann/json.hpp>

#include "api/check.h"
#include "api/prepared.h"
#include "timing/build.h"
#include "timing/coarse.h"
#include "timing/recorder.h"
#include "view/json.h"
#include "view/perfetto.h"
#include "view/svg.h"
#include "view/text.h"

namespace millrace {

struct ModeledTime::Data {
  timing::Timeline timeline;
};

namespace {

constexpr std::size_t kMostBars = 20'000;
constexpr double kSecond = 1e12;  // in picoseconds

double seconds_of(timing::Time t) { return static_cast<double>(t) / kSecond; }

}  // namespace

double ModeledTime::seconds() const { return seconds_of(data->timeline.end); }
double ModeledTime::waiting() const { return seconds_of(data->timeline.waiting); }
double ModeledTime::overlap() const { return data->timeline.overlap; }
std::string ModeledTime::bounded_by() const { return data->timeline.bounded_by; }
double ModeledTime::step_seconds() const { return seconds_of(data->timeline.steady.simulated); }
double ModeledTime::step_theory() const { return seconds_of(data->timeline.steady.theory); }
std::string ModeledTime::step_bounded_by() const { return data->timeline.steady.bounded_by; }

std::string ModeledTime::text(int columns) const { return view::to_text(data->timeline, {columns}); }
std::string ModeledTime::svg(int width) const { return view::to_svg(data->timeline, {.width = width}); }
std::string ModeledTime::json() const { return view::to_json(data->timeline).dump(1) + "\n"; }
std::string ModeledTime::perfetto() const { return view::to_perfetto(data->timeline); }

ModeledTime modeled_time(const Kernel& kernel, const std::vector<Array>& inputs, const ModelOptions& options) {
  const timing::Costs costs = timing::costs_of(options.run.chip, options.figures);
  const auto executable = api::prepared(kernel, inputs);
  timing::Recorder recorder;
  const api::Checked checked = api::check(*executable, inputs, options.run, {}, {&recorder});
  const timing::Trace trace = recorder.take();
  timing::Timeline t = timing::make_timeline(trace, timing::run_clock(trace, costs), costs, checked.findings);
  t.title = options.title.empty() ? executable->program.name : options.title;
  t.schedule = options.run.schedule;
  ModeledTime m;
  m.data = std::make_shared<ModeledTime::Data>(ModeledTime::Data{timing::coarse(std::move(t), kMostBars)});
  return m;
}

std::string svg_of(const std::vector<ModeledTime>& all, const std::string& title, int width) {
  std::vector<timing::Timeline> timelines;
  for (const ModeledTime& m : all) timelines.push_back(m.data->timeline);
  return view::to_svg(timelines, title, {.width = width});
}

}  // namespace millrace
