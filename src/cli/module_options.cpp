// SPDX-License-Identifier: Apache-2.0
#include "cli/module_options.h"

#include <fmt/format.h>

#include <charconv>

#include "front/case_load.h"
#include "millrace/error.h"

namespace millrace::cli {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < 0) return {};
  return n;
}

front::Aliased alias_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto input = number_in(std::string_view(text).substr(0, colon));
  const auto output = colon == text.npos ? std::nullopt : number_in(std::string_view(text).substr(colon + 1));
  if (!input || !output || *input > 1'000'000 || *output > 1'000'000)
    refuse(fmt::format("--alias `{}` is not IN:OUT, such as 1:0 (the numbers of an input and an output)", text));
  return {static_cast<std::uint32_t>(*input), static_cast<std::uint32_t>(*output)};
}

}  // namespace

Shape shape_named(const std::string& option, const std::string& text) {
  Shape shape;
  if (text == "()") return shape;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t x = std::min(text.find('x', begin), text.size());
    const auto n = number_in(std::string_view(text).substr(begin, x - begin));
    if (!n) refuse(fmt::format("{} `{}` is no shape, such as 17x257, or () for a scalar", option, text));
    shape.push_back(*n);
    begin = x + 1;
  }
  element_count(shape);
  return shape;
}

void add_call_options(CLI::App& command, ModuleOptions& options, const char* module) {
  front::KernelRequest& request = options.request;
  const auto repeated = [&](const char* name, std::vector<std::string>& into, const char* what) {
    command.add_option(name, into, what)->allow_extra_args(false);
  };
  command.add_option("MODULE", options.path, module)->required();
  command.add_option("--kernel", request.pick, "Which kernel of a StableHLO text: its number from 0, or its name");
  repeated("--alias", options.aliases, "IN:OUT, an input and an output that share one buffer; repeat");
  command.add_option("--grid-bound", request.wish.grid_bounds, "A dynamic bound of the grid; repeat, in their order")
      ->allow_extra_args(false);
  command.add_option("--outputs", options.outputs, "How many of the operands are outputs, the last ones (default 1)")
      ->check(CLI::PositiveNumber);
  repeated("--output-shape", options.output_shapes,
           "An output's shape, ROWSxCOLUMNS; repeat for all (default: what its blocks cover)");
  command.add_option("--dtype", options.dtype,
                     "The type of operands of its size, where the module leaves it open: u32");
}

void add_module_options(CLI::App& command, ModuleOptions& options) {
  front::KernelRequest& request = options.request;
  add_call_options(command, options, "A Mosaic module (text or bytecode), a StableHLO text, or a case folder");
  command
      .add_option("--input", request.input_files,
                  "An input, a .npy file; repeat, in their order (2:F.npy: of device 2 alone)")
      ->allow_extra_args(false);
  command.add_option("--fill", request.fill, "The inputs without a file: normal:SEED, zeros or iota");
  command.add_option("--target", request.target, "simulator, cpu or tpu (default simulator)");
  command.add_option("--cores", request.cores, "Cores of each device (default 1)");
  command.add_option("--devices", request.devices, "Devices that run the kernel (default 1)");
  command.add_option("--chip", request.chip,
                     "v4, v5e, v5p, v6e or tpu7x (default v5e); `check` holds a kernel to the rules of the chip named");
  command.add_option("--max-steps", request.max_steps, "Instructions after which a run is stopped")
      ->check(CLI::PositiveNumber);
  command.add_option("--max-bytes", request.max_bytes, "Memory a run may take (default: 3/4 of the machine's)")
      ->check(CLI::PositiveNumber);
  command.add_option("--dma-signal", request.dma_signal, "progressive or whole (default progressive)");
}

void add_schedule_option(CLI::App& command, ModuleOptions& options) {
  command.add_option("--schedule", options.request.schedule,
                     "canonical, eager, lazy, random:SEED or replay:FILE (default canonical)");
}

front::KernelRequest request_of(const ModuleOptions& options) {
  front::KernelRequest request = options.request;
  request.module = options.path;
  if (options.outputs > 0) request.wish.outputs = static_cast<std::size_t>(options.outputs);
  for (const std::string& alias : options.aliases) request.wish.aliases.push_back(alias_of(alias));
  for (const std::string& shape : options.output_shapes)
    request.wish.output_shapes.push_back(shape_named("--output-shape", shape));
  if (!options.dtype.empty()) {
    request.wish.dtype = dtype_named(options.dtype);
    if (!request.wish.dtype) refuse(fmt::format("--dtype `{}` is no element type (such as f32)", options.dtype));
  }
  front::complete_from_case(request);
  return request;
}

}  // namespace millrace::cli
