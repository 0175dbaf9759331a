// SPDX-License-Identifier: Apache-2.0
#include "front/report_kernel.h"

#include <fmt/format.h>

#include "front/case_load.h"
#include "front/inspect.h"
#include "front/report_receipt.h"
#include "mosaic/io.h"
#include "report/json.h"
#include "report/place.h"
#include "rules/footprint.h"
#include "timing/build.h"
#include "timing/recorder.h"

namespace millrace::front {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostText = 4u << 20;

Json bytes_json(const rules::Bytes& b) { return {{"vmem", b.vmem}, {"smem", b.smem}, {"semaphores", b.semaphores}}; }

Json footprint_json(const LoadedKernel& loaded, const std::string& chip) {
  const rules::Footprint f = rules::footprint_of(question_of(loaded, chip));
  Json json = {{"chip", f.chip}, {"vmem", f.vmem}, {"held", Json::array()}};
  for (const rules::Held& h : f.held)
    json["held"].push_back({{"name", h.name},
                            {"memory", h.memory},
                            {"holder", name_of(h.holder)},
                            {"slots", h.slots},
                            {"logical", h.logical},
                            {"padded", h.padded},
                            {"bytes", h.bytes}});
  json["scopes"] = bytes_json(f.scopes), json["total"] = bytes_json(f.total), json["limit"] = bytes_json(f.limit);
  return json;
}

Json check_json(const report::Checked& checked) {
  Json json = report::to_json(checked);
  json.erase("seconds");  // the same report for the same kernel, whenever it is made
  for (std::size_t i = 0; i < checked.findings.size(); ++i) {
    Json spots = Json::array();
    for (const report::Spot& s : report::spots_of(checked.findings[i]))
      spots.push_back({{"what", s.what},
                       {"nth", s.nth},
                       {"place", report::to_string(s.location)},
                       {"at", s.at},
                       {"file", s.location.file},
                       {"line", s.location.line}});
    json["findings"][i]["spots"] = std::move(spots);
  }
  return json;
}

Json sources_json(const SourceLines& sources) {
  Json json = Json::object();
  for (const auto& [file, lines] : sources)
    for (const auto& [number, text] : lines) json[file][std::to_string(number)] = text;
  return json;
}

std::string module_text(const mosaic::Module& module) {
  mosaic::WriteOptions options;
  options.form = mosaic::Form::kText, options.names = mosaic::Names::kPlain, options.locations = false;
  std::string text = mosaic::write_module(module, options);
  if (text.size() > kMostText) {
    const std::size_t all = text.size();
    text.resize(kMostText);
    text += fmt::format("\n... ({} bytes in all; `millrace convert` writes the rest)\n", all);
  }
  return text;
}

}  // namespace

view::Report report_of(const ViewRequest& request, const LoadedKernel& loaded, const report::Checked& checked,
                       const timing::Trace& trace, const SourceLines& sources) {
  const KernelRequest& kernel = request.kernel;
  const timing::Costs costs = timing::costs_of(kernel.chip, request.costs);
  view::Report report;
  report.timeline = timing::make_timeline(trace, timing::run_clock(trace, costs), costs, checked.findings);
  report.timeline.title = title_of(kernel, loaded);
  report.timeline.schedule = kernel.schedule;
  report.check = check_json(checked);
  report.module = to_json(inspect(*loaded.kernel, loaded.executable->outputs.size()));
  report.footprint = footprint_json(loaded, kernel.chip);
  report.sources = sources_json(sources);
  report.text = module_text(loaded.kernel->module);
  report.receipts = Json::array({modeled_receipt(request, loaded)});
  return report;
}

view::Report report_kernel(const ReportRequest& request) {
  const KernelRequest& kernel = request.view.kernel;
  timing::costs_of(kernel.chip, request.view.costs);  // what is wrong with them is said before anything runs
  const LoadedKernel loaded = load_kernel(kernel);
  CheckRequest check{kernel, request.explore, true, true, request.max_classes, request.explore};
  timing::Recorder recorder;
  const report::Checked checked = check_loaded(check, loaded, nullptr, {&recorder});
  return report_of(request.view, loaded, checked, recorder.take(), source_lines(checked.findings, kernel.module));
}

}  // namespace millrace::front
