// SPDX-License-Identifier: Apache-2.0
#include "front/run_on_cpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/simulate.h"
#include "array/sha256.h"
#include "front/module_file.h"
#include "front/tolerance.h"
#include "millrace/error.h"
#include "millrace/file.h"
#include "mosaic/io.h"
#include "target/cpu/calibrated_receipt.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"

namespace millrace::front {

namespace {

// Holds the outputs against the simulator's, then measures.
nlohmann::ordered_json receipt_of(const CpuRequest& request, const KernelRequest& plain, const LoadedKernel& loaded,
                                  cpu::Runner& runner, const CpuRun& run) {
  const api::Simulation oracle = api::simulate(*loaded.executable, loaded.inputs, options_of(plain));
  if (!oracle.stops.empty()) throw Error(ErrorCode::kFinding, oracle.stops.front().message);
  double most = 0;
  for (std::size_t i = 0; i < run.outputs.size(); ++i) {
    const Distance distance = distance_of(run.outputs[i], oracle.outcome.outputs.at(i));
    most = std::max(most, distance.max_abs_error);
    if (!distance.within)
      throw Error(ErrorCode::kInternal,
                  fmt::format("out{} of the CPU target is not the simulator's: max |error| {}; nothing was written", i,
                              distance.max_abs_error));
  }
  const Tolerance tolerance = run.outputs.empty() ? Tolerance{} : device_tolerance(run.outputs[0].dtype());
  std::vector<Array> outputs = run.outputs;
  return target::measured_receipt(
      {run.kernel,
       [&] { runner.run(loaded.inputs, outputs); },
       loaded.inputs,
       run.outputs,
       run.device,
       mosaic::write_module(loaded.kernel->module),
       request.millrace_version,
       request.llvm,
       run.compile_seconds,
       run.threads,
       run.movement,
       {"Millrace's simulator, canonical schedule", most, tolerance.rtol, tolerance.atol, true},
       {{"module", loaded.kernel->name}, {"kernel", run.kernel}}},
      request.samples);
}

}  // namespace

CpuRun run_on_cpu(const CpuRequest& request) {
  KernelRequest plain = request.kernel;
  plain.target = "simulator";  // what is asked of the kernel's arrays does not depend on the target
  if (plain.schedule != "canonical")
    throw Error(ErrorCode::kUser, "--schedule is for the simulator; on the CPU, events come in the order of the CPU");
  if (!request.receipt.empty()) require_folder_of(request.receipt);
  const LoadedKernel loaded = load_kernel(plain);
  const api::Executable& executable = *loaded.executable;
  cpu::Runner runner(executable.program, executable.inputs, executable.outputs, request.options);
  CpuRun run;
  run.kernel = executable.program.name, run.device = cpu::device_name();
  run.load_seconds = loaded.seconds, run.compile_seconds = runner.compile_seconds();
  run.from_cache = runner.from_cache(), run.movement = runner.movement();
  const auto began = std::chrono::steady_clock::now();
  runner.run(loaded.inputs, run.outputs);
  run.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  run.threads = runner.threads(), run.devices = executable.program.devices;
  if (!request.receipt.empty()) run.receipt = receipt_of(request, plain, loaded, runner, run);
  for (const Array& a : run.outputs)
    if (request.kernel.hash) run.sha256.push_back(sha256_of(a));
  for (std::size_t i = 0; !request.kernel.output_files.empty() && i < run.outputs.size(); ++i) {
    run.files.push_back(output_file(request.kernel, i, run.devices));
    write_npy(run.files.back(), run.outputs[i]);
  }
  if (!request.receipt.empty()) write_whole_file(request.receipt, run.receipt.dump(2) + "\n");
  return run;
}

}  // namespace millrace::front
