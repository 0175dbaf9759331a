// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_page.h"

#include <nlohmann/json.hpp>

#include "cli/build_info.h"
#include "front/report_kernel.h"
#include "lab/fixture.h"
#include "lab/on_tpu.h"
#include "millrace/file.h"
#include "plan/tiles.h"
#include "timing/coarse.h"
#include "view/report_html.h"

namespace millrace::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostBarsOfPage = 100'000;

// The kernel sees whole blocks: the arrays are padded as the lab's runs pad them.
front::KernelRequest keep_kernel(const lab::LabRequest& request, const fs::path& folder) {
  const lab::Pair pair = request.given.value_or(lab::lesson_pair(request.dtype));
  const Shape& shape = pair.x.shape();
  const plan::Extent padded = plan::plan_tiles({shape[0], shape[1]}, request.configuration.block).padded;
  front::KernelRequest kernel;
  kernel.module = folder / "kernel.mlirbc";
  write_whole_file(kernel.module, lab::axpy_module(request.configuration, pair.x.dtype(), padded));
  for (const auto& [name, array] : {std::pair("in0.npy", &pair.x), std::pair("in1.npy", &pair.y)}) {
    write_npy(folder / name, array->padded({padded.rows, padded.columns}));
    kernel.input_files.push_back((folder / name).string());
  }
  kernel.wish.dtype = pair.x.dtype();
  kernel.wish.output_shapes = {{padded.rows, padded.columns}};
  return kernel;
}

}  // namespace

void write_lab_page(const lab::LabRequest& request, const std::optional<lab::CompiledPanel>& panel,
                    const fs::path& folder) {
  fs::create_directories(folder / "kernel");
  view::Report report = front::report_kernel(
      {.view = {
           .kernel = keep_kernel(request, folder / "kernel"), .costs = {}, .millrace_version = build_info().version}});
  report.timeline = timing::coarse(std::move(report.timeline), kMostBarsOfPage);
  if (panel) report.compiled = lab::to_json(*panel);
  write_whole_file(folder / "report.html", view::to_html(report));
}

}  // namespace millrace::cli
