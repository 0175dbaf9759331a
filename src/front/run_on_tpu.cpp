// SPDX-License-Identifier: Apache-2.0
#include "front/run_on_tpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/simulate.h"
#include "front/case_load.h"
#include "front/compile_kernel.h"
#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::front {

namespace {

[[noreturn]] void unsupported(const std::string& what) { throw Error(ErrorCode::kUnsupported, what); }

// One core of one device, and arrays that lie in memory as they lie in the module.
void require_plain_call(const KernelRequest& request, const KernelToCompile& kernel, const std::vector<Array>& inputs) {
  if (request.cores > 1 || request.devices > 1) unsupported("--target tpu runs a kernel on one core of one device");
  if (kernel.call.operands.size() != inputs.size())
    unsupported("--target tpu does not run kernels with a dynamic grid");
  const auto words_only = [](const std::vector<target::Tensor>& tensors, const char* name) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].element == mosaic::Element::kI4 || tensors[i].element == mosaic::Element::kI1)
        unsupported(fmt::format("--target tpu does not take {}{}: its elements are smaller than a byte", name, i));
  };
  words_only(kernel.call.operands, "in"), words_only(kernel.call.results, "out");
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].dtype() == DType::i1) unsupported(fmt::format("--target tpu does not take the bools of in{}", i));
}

void judge(const std::vector<Array>& expected, TpuRun& run) {
  run.passed = true;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Distance distance = distance_of(run.outputs.at(i), expected[i]);
    run.max_abs_error.push_back(distance.max_abs_error);
    if (distance.within) continue;
    run.passed = false;
    run.sentence = fmt::format("out{} of the device is not the simulator's: max |error| {}; nothing was written", i,
                               run.max_abs_error.back());
  }
}

void write_receipt(const TpuRequest& request, const target::Library& library, const KernelToCompile& kernel,
                   const TpuRun& run) {
  const DType dtype = run.outputs.empty() ? DType::f32 : run.outputs[0].dtype();
  const Tolerance tolerance = device_tolerance(dtype);
  double most = 0;
  for (const double e : run.max_abs_error) most = std::max(most, e);
  target::ReceiptFacts facts = target::facts_of(run.measured, library, request.millrace_version);
  facts.implementation = kernel.call.body;
  facts.configuration = {{"module", kernel.module}, {"kernel", kernel.kernel}};
  facts.correctness = {"Millrace's simulator, canonical schedule", most, tolerance.rtol, tolerance.atol, run.passed};
  facts.timing = {kernel.kernel, run.measured.compile_seconds.at(0), request.warm_ups, run.measured.milliseconds.at(0)};
  write_whole_file(request.receipt, target::receipt(facts).dump(2) + "\n");
}

}  // namespace

TpuRun run_on_tpu(const TpuRequest& request) {
  target::MeasureRequest measure{target::library_to_run(request.libtpu), {request.worker, 600}};
  target::measure(measure);  // is there a TPU at all
  KernelRequest simulated = request.kernel;
  simulated.target = "simulator";
  const LoadedKernel loaded = load_kernel(simulated);
  std::vector<Shape> shapes;
  for (const Array& a : loaded.inputs) shapes.push_back(a.shape());
  if (loaded.kernel->call || is_case_folder(simulated.module)) shapes.clear();  // they say so themselves
  const KernelToCompile kernel = read_to_compile(simulated.module, simulated.pick, simulated.wish, shapes);
  require_plain_call(simulated, kernel, loaded.inputs);
  const api::Simulation oracle = api::simulate(*loaded.executable, loaded.inputs, options_of(simulated));
  if (!oracle.stops.empty()) throw Error(ErrorCode::kFinding, oracle.stops.front().message);
  std::vector<target::ArrayType> outputs;
  for (const Array& a : oracle.outcome.outputs) outputs.push_back({a.dtype(), a.shape()});
  measure.programs = {{"kernel", target::stablehlo_of(kernel.call), outputs}};
  measure.inputs = loaded.inputs;
  measure.warm_ups = request.warm_ups, measure.samples = request.samples;
  TpuRun run{target::measure(measure), {}, {}, {}, false, ""};
  run.outputs = run.measured.outputs.at(0);
  judge(oracle.outcome.outputs, run);
  if (!run.passed) return run;
  for (std::size_t i = 0; i < request.kernel.output_files.size(); ++i) {
    run.files.push_back(request.kernel.output_files[i]);
    write_npy(run.files.back(), run.outputs.at(i));
  }
  if (!request.receipt.empty()) write_receipt(request, measure.library, kernel, run);
  return run;
}

}  // namespace millrace::front
