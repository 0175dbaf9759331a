// SPDX-License-Identifier: Apache-2.0
#include "lab/on_tpu.h"

#include <fmt/format.h>

#include "dsl/trace.h"
#include "lab/axpy.h"
#include "lab/oracle.h"
#include "mosaic/io.h"
#include "plan/tiles.h"
#include "target/samples.h"
#include "target/tpu/stablehlo_call.h"

namespace millrace::lab {
namespace {

Shape shape_of(Extent e) { return {e.rows, e.columns}; }

mosaic::Element element_of(DType dtype) {
  return dtype == DType::bf16 ? mosaic::Element::kBF16 : mosaic::Element::kF32;
}

nlohmann::ordered_json configuration_json(const Configuration& c, const Pair& input, Extent padded, bool kernel) {
  return {{"program", kernel ? name_of(c.program) : "plain StableHLO"},
          {"shape", input.x.shape()},
          {"padded_shape", shape_of(padded)},
          {"dtype", name_of(input.x.dtype())},
          {"block", shape_of(c.block)},
          {"input_slots", c.input_slots},
          {"output_slots", c.output_slots},
          {"synchronous", c.synchronous}};
}

std::string program_text(const Configuration& c, DType dtype, Extent padded, const std::string& module) {
  const target::Tensor tensor{element_of(dtype), shape_of(padded)};
  return target::stablehlo_of({std::string(name_of(c.program)) + "_axpy", module, {tensor, tensor}, {tensor}});
}

}  // namespace

std::string axpy_module(const Configuration& c, DType dtype, Extent padded) {
  const Kernel axpy =
      c.program == Program::kBlocked ? blocked_axpy(dtype, padded, c.block) : pipelined_axpy(dtype, padded, c);
  const dsl::Operand operand{dtype, shape_of(padded)};
  return mosaic::write_module(*dsl::trace(axpy, {operand, operand}).module);
}

std::string plain_axpy(DType dtype, Extent shape) {
  const auto tensor = [&](std::string_view element) {
    return fmt::format("tensor<{}x{}x{}>", shape.rows, shape.columns, element);
  };
  const bool narrow = dtype == DType::bf16;
  const std::string door = tensor(name_of(dtype)), wide = tensor("f32");
  std::string text = fmt::format(
      "module @plain_axpy attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{\n"
      "  func.func public @main(%arg0: {0}, %arg1: {0}) -> {0} {{\n"
      "    %two = stablehlo.constant dense<2.0> : {1}\n",
      door, wide);
  for (int i = 0; narrow && i < 2; ++i)
    text += fmt::format("    %w{0} = stablehlo.convert %arg{0} : ({1}) -> {2}\n", i, door, wide);
  text += fmt::format("    %p = stablehlo.multiply %two, {} : {}\n    %s = stablehlo.add %p, {} : {}\n",
                      narrow ? "%w0" : "%arg0", wide, narrow ? "%w1" : "%arg1", wide);
  if (narrow) text += fmt::format("    %n = stablehlo.convert %s : ({}) -> {}\n", wide, door);
  return text + fmt::format("    return {} : {}\n  }}\n}}\n", narrow ? "%n" : "%s", door);
}

DeviceRun run_on_device(const Configuration& c, const Pair& input, const DeviceSettings& settings) {
  require_configuration(c);
  require_pair(input.x, input.y);
  const DType dtype = input.x.dtype();
  const Shape& shape = input.x.shape();
  const Extent padded = plan::plan_tiles({shape[0], shape[1]}, c.block).padded;
  const std::string plain = plain_axpy(dtype, padded);
  const std::string module = settings.kernel ? axpy_module(c, dtype, padded) : plain;
  const std::vector<target::ArrayType> outputs{{dtype, shape_of(padded)}};
  target::MeasureRequest request{settings.library,  settings.worker, settings.platform, {}, {},
                                 settings.warm_ups, settings.samples};
  request.programs = {{"kernel", settings.kernel ? program_text(c, dtype, padded, module) : plain, outputs},
                      {"baseline", plain, outputs}};
  request.inputs = {input.x.padded(shape_of(padded)), input.y.padded(shape_of(padded))};
  DeviceRun run{target::measure(request), {}, {}, {}};
  run.output = run.measured.outputs.at(0).at(0).cropped(shape);
  run.comparison = compare(run.output, oracle(input.x, input.y));
  if (!run.comparison.within_tolerance) return run;
  const auto timing = [&](std::size_t p, const std::string& name) {
    return target::Timing{name, run.measured.compile_seconds.at(p), settings.warm_ups, run.measured.milliseconds.at(p)};
  };
  const std::string name(settings.kernel ? name_of(c.program) : "plain StableHLO");
  target::ReceiptFacts facts = target::facts_of(run.measured, settings.library, settings.millrace_version);
  facts.implementation = module;
  facts.configuration = configuration_json(c, input, padded, settings.kernel);
  facts.correctness = {"2 * x + y by plain loops on the host", run.comparison.max_abs_error, kRtol, kAtol, true};
  facts.timing = timing(0, name), facts.baselines = {timing(1, "the same in StableHLO")};
  run.receipt = target::receipt(facts);
  return run;
}

std::string transcript(const DeviceRun& run, const Configuration& c) {
  std::string text = fmt::format("Millrace lab: 2 * x + y, tile by tile\nactual backend: {} ({}; measured)\n{}\n",
                                 run.measured.device_kind, run.measured.platform, describe(c));
  const auto line = [&](const char* what, std::size_t p) {
    const target::Spread s = target::spread_of(run.measured.milliseconds.at(p));
    text += fmt::format("  {:<22} median {:.4f} ms, p90 {:.4f}, min {:.4f} of {} executions\n", what, s.median, s.p90,
                        s.min, run.measured.milliseconds[p].size());
  };
  line("kernel", 0), line("the same in StableHLO", 1);
  return text + fmt::format("  max |error| {}, {}\n{}\n", run.comparison.max_abs_error,
                            run.comparison.within_tolerance ? "within the oracle's tolerance" : "NOT the oracle's",
                            run.comparison.within_tolerance ? "PASS: lab" : "FAIL: lab");
}

}  // namespace millrace::lab
