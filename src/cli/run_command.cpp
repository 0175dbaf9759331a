// SPDX-License-Identifier: Apache-2.0
// `millrace run`: a module, its arrays, one run; the outputs are written.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/build_info.h"
#include "cli/module_options.h"
#include "cli/progress.h"
#include "front/run_kernel.h"
#include "front/run_on_cpu.h"
#include "front/run_on_tpu.h"
#include "millrace/error.h"

namespace millrace::cli {
namespace {

struct RunCommand {
  ModuleOptions module;
  std::vector<std::string> outputs;  // files
  std::string libtpu, receipt;       // of --target tpu
  int threads = 0;                   // of --target cpu
  bool copies = false, json = false;
};

// Of a KernelRun or a CpuRun: a line for each output.
std::string outputs_text(const auto& run) {
  std::string text;
  const std::size_t n = run.outputs.size() / static_cast<std::size_t>(run.devices);
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    text += run.devices > 1 ? fmt::format("out{} of device {}", i % n, i / n) : fmt::format("out{}", i);
    text += fmt::format(": {} {}{}\n", name_of(run.outputs[i].dtype()), to_string(run.outputs[i].shape()),
                        run.files.empty() ? "" : ", in " + run.files[i]);
  }
  return text;
}

nlohmann::ordered_json outputs_json(const auto& run) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  const std::size_t n = run.outputs.size() / static_cast<std::size_t>(run.devices);
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const Array& a = run.outputs[i];
    json.push_back({{"index", i % n}, {"dtype", name_of(a.dtype())}, {"shape", a.shape()}});
    if (run.devices > 1) json.back()["device"] = i / n;
    json.back()["file"] = nullptr;
    if (!run.files.empty()) json.back()["file"] = run.files[i];
    json.back()["sha256"] = run.sha256[i];
  }
  return json;
}

std::string shown(const front::KernelRun& run) {
  return outputs_text(run) +
         fmt::format("{} instructions, {} DMAs, {} bytes\n", run.work.steps, run.work.dmas, run.work.dma_bytes);
}

nlohmann::ordered_json json_of(const front::KernelRun& run, const RunCommand& options) {
  nlohmann::ordered_json json{{"schema", 1}, {"module", options.module.path}, {"kernel", run.kernel}};
  json["target"] = "simulator";
  json["schedule"] = options.module.request.schedule;
  json["outputs"] = outputs_json(run);
  json["work"] = {{"steps", run.work.steps}, {"dmas", run.work.dmas}, {"bytes", run.work.dma_bytes}};
  json["seconds"] = {{"load", run.load_seconds}, {"run", run.run_seconds}};
  return json;
}

void run_on_tpu(const RunCommand& options, front::KernelRequest kernel, Context& context) {
  front::TpuRequest request{std::move(kernel), options.libtpu, context.program, build_info().version, options.receipt};
  const front::TpuRun run = front::run_on_tpu(request);
  if (!run.passed) {
    context.err << "millrace: " << run.sentence << "\n";
    context.exit_code = kFound;
    return;
  }
  for (std::size_t i = 0; i < run.outputs.size(); ++i)
    context.out << fmt::format("out{}: {} {}{}\n", i, name_of(run.outputs[i].dtype()),
                               to_string(run.outputs[i].shape()), run.files.empty() ? "" : ", in " + run.files[i]);
  const target::Spread spread = target::spread_of(run.measured.milliseconds.at(0));
  context.out << fmt::format(
      "measured on {} ({}): median {:.4f} ms of {} executions; as the simulator, within tolerance\n",
      run.measured.device_kind, run.measured.platform, spread.median, run.measured.milliseconds[0].size());
}

nlohmann::ordered_json json_of(const front::CpuRun& run, const RunCommand& options) {
  nlohmann::ordered_json json{{"schema", 1}, {"module", options.module.path}, {"kernel", run.kernel}};
  json["target"] = "cpu", json["device"] = run.device, json["threads"] = run.threads;
  json["outputs"] = outputs_json(run);
  json["movement"] = run.movement, json["from_cache"] = run.from_cache;
  json["seconds"] = {{"load", run.load_seconds}, {"compile", run.compile_seconds}, {"run", run.run_seconds}};
  return json;
}

void run_on_cpu(const RunCommand& options, front::KernelRequest kernel, Context& context) {
  kernel.hash = options.json;
  const front::CpuRun run =
      front::run_on_cpu({std::move(kernel),
                         {options.threads, options.copies ? Movement::kCopies : Movement::kDirect},
                         options.receipt,
                         build_info().version,
                         build_info().llvm});
  if (options.json) {
    context.out << json_of(run, options).dump(2) << "\n";
    return;
  }
  context.out << outputs_text(run);
  for (const std::string& sentence : run.movement) context.out << sentence << "\n";
  context.out << fmt::format("ran on {}, {} {}: one run of {:.3f} ms; {} {:.0f} ms before\n", run.device, run.threads,
                             run.threads == 1 ? "thread" : "threads", 1e3 * run.run_seconds,
                             run.from_cache ? "found compiled, in" : "compiled in", 1e3 * run.compile_seconds);
  if (run.receipt.is_null()) return;
  const auto& m = run.receipt["measurement"];
  context.out << fmt::format(
      "measured: median {:.4f} ms of {} samples, {:.0f} % of passing over as many bytes ({:.1f} GB/s at best); as the "
      "simulator, within tolerance\n",
      m["median_ms"].get<double>(), m["samples"].get<int>(), 100 * m["calibration"]["share"].get<double>(),
      m["calibration"]["best"].get<double>());
  for (const auto& timing : {m, m["calibration"]["timing"]})
    if (timing["noise"].is_string())
      context.out << "noisy: of " << timing["name"].get<std::string>() << ", " << timing["noise"].get<std::string>()
                  << "\n";
}

void run_run(const RunCommand& options, Context& context) {
  front::KernelRequest request = request_of(options.module);
  request.output_files = options.outputs;
  if (request.target == "tpu") return run_on_tpu(options, std::move(request), context);
  if (options.threads != 0 && request.target != "cpu")
    throw Error(ErrorCode::kUser, "--threads goes with --target cpu");
  if (options.copies && request.target != "cpu") throw Error(ErrorCode::kUser, "--copies goes with --target cpu");
  if (request.target == "cpu") return run_on_cpu(options, std::move(request), context);
  if (!options.receipt.empty())
    throw Error(ErrorCode::kUser, "--receipt is for what is measured: it goes with --target tpu and --target cpu");
  Progress progress(context.err);
  request.progress = progress.hook();
  request.hash = options.json;
  const front::KernelRun run = front::run_kernel(request);
  progress.clear();
  for (const Finding& f : run.stops) context.err << fmt::format("millrace: {}: {}\n", f.id, f.message);
  if (!run.stops.empty()) {
    context.exit_code = kFound;
    return;
  }
  context.out << (options.json ? json_of(run, options).dump(2) + "\n" : shown(run));
}

}  // namespace

void add_run(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "run", "Run a kernel, in the simulator or on this CPU, and write its outputs.",
                                  "  millrace run kernel.mlirbc --input x.npy --input y.npy --output out.npy\n"
                                  "  millrace run exported.mlir --kernel 1 --fill normal:7 --schedule random:3");
  const auto options = std::make_shared<RunCommand>();
  add_module_options(command, options->module);
  add_schedule_option(command, options->module);
  command
      .add_option(
          "--output", options->outputs,
          "Where an output goes, a .npy file; repeat, in their order (of several devices: out.0.npy, out.1.npy, ...)")
      ->allow_extra_args(false);
  command.add_option("--libtpu", options->libtpu, "The TPU's library, for --target tpu (default as in `compile`)");
  command.add_option("--receipt", options->receipt, "With --target tpu or cpu: write what was measured into this file");
  command.add_option("--threads", options->threads, "With --target cpu: how many threads at most (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--copies", options->copies,
                   "With --target cpu: copy blocks into buffers and back, by a thread beside the kernel's; no views");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] { run_run(*options, context); });
}

}  // namespace millrace::cli
