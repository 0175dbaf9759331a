// SPDX-License-Identifier: Apache-2.0
#include "front/diff_schedules.h"

#include <fmt/format.h>

#include <cstring>

#include "api/writer.h"
#include "array/shape.h"
#include "report/place.h"

namespace millrace::front {

namespace {

using Json = nlohmann::ordered_json;

api::Simulation run_under(const LoadedKernel& loaded, const KernelRequest& request, ScheduleRun& run) {
  RunOptions options = options_of(request);
  options.schedule = run.schedule, options.track_writers = true;
  api::Simulation s = api::simulate(*loaded.executable, loaded.inputs, options, {}, request.progress);
  run.stops = s.stops;
  return s;
}

// Bit for bit; the first place, and how many.
void compare(const Array& a, const Array& b, std::size_t output, ScheduleDiff& diff) {
  const std::size_t size = size_of(a.dtype());
  diff.output = output, diff.dtype = a.dtype(), diff.elements = a.size(), diff.different = 0;
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const std::size_t at = static_cast<std::size_t>(i) * size;
    if (std::memcmp(a.data() + at, b.data() + at, size) == 0) continue;
    if (diff.different++ > 0) continue;
    diff.element = position_of(i, a.shape());
    diff.a.value = a.flat(i), diff.b.value = b.flat(i);
  }
  diff.differ = diff.different > 0;
}

// A slot of the grid's own pipeline is a memory of its own, "out0.window1".
std::string text_of(const Writer& w) {
  const std::string time = report::ordinal(w.nth);
  if (const std::size_t window = w.from.find(".window"); window != w.from.npos)
    return fmt::format("sent back by the grid's own pipeline, the {} time, from slot {}", time,
                       w.from.substr(window + 7));
  std::string text = fmt::format("written at {}, the {} time", w.where, time);
  if (!w.from.empty()) text += fmt::format(", from {}", w.from);
  if (w.slot) text += fmt::format(", slot {}", *w.slot);
  return text;
}

std::string text_of(const ScheduleRun& run) {
  return fmt::format("  {}: {}, {}\n", run.schedule, run.value,
                     run.writer ? text_of(*run.writer) : "which nobody wrote");
}

std::string end_of(const ScheduleRun& run) {
  if (run.stops.empty()) return fmt::format("  {}: ends\n", run.schedule);
  return fmt::format("  {}: {}: {}\n", run.schedule, run.stops[0].id, run.stops[0].message);
}

Json json_of(const ScheduleRun& run, bool compared) {
  Json json{{"schedule", run.schedule}, {"ends", run.stops.empty()}};
  if (!run.stops.empty()) json["stopped_by"] = {{"id", run.stops[0].id}, {"message", run.stops[0].message}};
  if (!compared) return json;
  json["value"] = run.value;  // a NaN is null
  json["writer"] = nullptr;
  if (!run.writer) return json;
  json["writer"] = {{"where", run.writer->where}, {"nth", run.writer->nth}};
  if (!run.writer->from.empty()) json["writer"]["from"] = run.writer->from;
  if (run.writer->slot) json["writer"]["slot"] = *run.writer->slot;
  return json;
}

}  // namespace

ScheduleDiff diff_schedules(const KernelRequest& request, const std::string& a, const std::string& b) {
  for (const std::string& schedule : {a, b}) machine::choice_named(schedule);
  const LoadedKernel loaded = load_kernel(request);
  ScheduleDiff diff;
  diff.kernel = loaded.executable->program.name;
  diff.a.schedule = a, diff.b.schedule = b;
  const api::Simulation x = run_under(loaded, request, diff.a), y = run_under(loaded, request, diff.b);
  diff.compared = x.stops.empty() && y.stops.empty();
  diff.differ = x.stops.empty() != y.stops.empty();
  if (!diff.compared) return diff;
  for (std::size_t i = 0; i < x.outcome.outputs.size() && !diff.differ; ++i)
    compare(x.outcome.outputs[i], y.outcome.outputs[i], i, diff);
  if (!diff.differ) return diff;
  diff.a.writer = api::last_writer(*x.writers, diff.output, diff.element);
  diff.b.writer = api::last_writer(*y.writers, diff.output, diff.element);
  return diff;
}

std::string to_text(const ScheduleDiff& diff) {
  if (!diff.compared)
    return (diff.differ ? "one of the two ends:\n" : "neither ends:\n") + end_of(diff.a) + end_of(diff.b);
  if (!diff.differ) return fmt::format("{} and {} agree, bit for bit\n", diff.a.schedule, diff.b.schedule);
  return fmt::format("out{}{}: {} of {} elements differ; the first of them:\n", diff.output, to_string(diff.element),
                     diff.different, diff.elements) +
         text_of(diff.a) + text_of(diff.b);
}

nlohmann::ordered_json to_json(const ScheduleDiff& diff) {
  Json json{{"schema", 1}, {"kernel", diff.kernel}, {"differ", diff.differ}};
  if (diff.compared && diff.differ) {
    json["output"] = diff.output, json["element"] = diff.element;
    json["different"] = diff.different, json["elements"] = diff.elements;
  }
  const bool values = diff.compared && diff.differ;
  json["schedules"] = {json_of(diff.a, values), json_of(diff.b, values)};
  return json;
}

}  // namespace millrace::front
