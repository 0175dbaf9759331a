// SPDX-License-Identifier: Apache-2.0
#include "bench/reporting.h"

#include <fmt/format.h>

#include <filesystem>

#include "bench/folder.h"
#include "bench/simulated_axpy.h"
#include "dsl/trace.h"
#include "front/report_kernel.h"
#include "millrace/file.h"
#include "mosaic/io.h"
#include "timing/coarse.h"
#include "view/report_html.h"

namespace millrace::bench {

namespace {

constexpr std::int64_t kSteps = 150'000;                         // seven bars each: three DMAs, three waits, computing
constexpr std::uint64_t kBars = 1'000'000, kMostBars = 100'000;  // as `view --html` joins them

}  // namespace

ReportSize write_report(std::int64_t steps, const std::string& folder) {
  const std::filesystem::path module = std::filesystem::path(folder) / "axpy.mlirbc";
  const dsl::Operand array{f32, round_array()};
  write_whole_file(module, mosaic::write_module(*dsl::trace(round_kernel(steps), {array, array}).module));
  front::ReportRequest request;
  request.view.kernel.module = module;
  request.view.kernel.fill = "iota";
  request.view.kernel.wish.output_shapes = {array.shape};
  view::Report report = front::report_kernel(request);
  if (report.check["verdict"] != "clean") throw Error(ErrorCode::kInternal, "the pipelined axpy is found faulty");
  ReportSize size;
  size.bars = report.timeline.bars.size();
  report.timeline = timing::coarse(std::move(report.timeline), kMostBars);
  size.drawn = report.timeline.bars.size();
  const std::string page = view::to_html(report);
  size.bytes = page.size();
  write_whole_file(std::filesystem::path(folder) / "report.html", page);
  return size;
}

std::vector<Pairing> reporting() {
  const Folder folder;
  const ReportSize size = write_report(kSteps, folder.name());
  if (size.bars < kBars) throw Error(ErrorCode::kInternal, fmt::format("the long run has {} bars only", size.bars));
  Pairing p;
  p.name = "report/million";
  p.candidate =
      fmt::format("axpy of {} grid steps, checked, laid out and written as a page: {} bars, {} of them drawn, {} bytes",
                  kSteps, size.bars, size.drawn, size.bytes);
  p.unit = "bar";
  p.candidate_work = static_cast<double>(size.bars);
  p.aim_us = 10;
  measure(p, {[&] { write_report(kSteps, folder.name()); }, {}, {}}, 0, 3);
  return {p};
}

}  // namespace millrace::bench
