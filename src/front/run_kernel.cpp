// SPDX-License-Identifier: Apache-2.0
#include "front/run_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iterator>
#include <span>
#include <system_error>

#include "array/npy_read.h"
#include "array/sha256.h"
#include "front/case_load.h"
#include "front/fill.h"
#include "front/steering.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The files of each device: "2:F" is for device 2, "F" for all of them.
std::vector<std::vector<std::string>> files_by_device(const KernelRequest& request) {
  std::vector<std::vector<std::string>> files(static_cast<std::size_t>(request.devices));
  for (const std::string& file : request.input_files) {
    const std::size_t colon = file.find(':');
    if (colon == file.npos || colon == 0 || file.find_first_not_of("0123456789") != colon) {
      for (auto& of_device : files) of_device.push_back(file);
      continue;
    }
    std::size_t device = 0;
    const auto [end, error] = std::from_chars(file.data(), file.data() + colon, device);
    if (error != std::errc() || device >= files.size())
      refuse(fmt::format("--input {}: there is no such device; --devices {} are numbered from 0", file, files.size()));
    files[device].push_back(file.substr(colon + 1));
  }
  return files;
}

void require_files_fit(const KernelRequest& request, const std::vector<std::vector<std::string>>& files) {
  const std::uint64_t most = request.max_bytes ? request.max_bytes : default_max_bytes();
  std::uint64_t sum = 0;
  for (const auto& of_device : files) {
    for (const std::string& file : of_device) {
      std::error_code error;
      const std::uint64_t size = std::filesystem::file_size(file, error);
      if (!error && __builtin_add_overflow(sum, size, &sum)) sum = ~std::uint64_t{0};
    }
  }
  if (sum > most) refuse(fmt::format("the inputs take {} bytes; --max-bytes allows {}", sum, most));
}

Array read_input(const std::string& file, const std::optional<Tensor>& planned, mosaic::Element element,
                 const KernelRequest& request) {
  std::optional<DType> as = stored_as(element, request.wish.dtype);
  if (planned && planned->dtype == DType::bf16) as = DType::bf16;
  return read_npy_in_any_order(file, as);
}

// Four-bit elements have a byte each in an array.
void require_four_bits(const Array& array, const std::string& file) {
  const auto outside = [](std::int8_t v) { return v < -8 || v > 7; };
  const auto values = array.dtype() == DType::i8 ? array.as<std::int8_t>() : std::span<const std::int8_t>();
  const auto found = std::find_if(values.begin(), values.end(), outside);
  if (found != values.end())
    refuse(fmt::format("{} holds {} at its element {} (row-major); the kernel's elements have four bits: -8 to 7", file,
                       int{*found}, found - values.begin()));
}

void wrap_to_four_bits(Array& array) {
  for (std::int8_t& v : array.as<std::int8_t>()) v = static_cast<std::int8_t>(((v + 8) & 15) - 8);
}

// Also checks that a StableHLO call's types are kept to.
std::vector<Array> inputs_of(const KernelRequest& request, const Plan& plan, bool strict,
                             const std::vector<std::string>& files, std::size_t device) {
  std::vector<Array> inputs;
  if (files.size() > plan.inputs.size())
    refuse(fmt::format("{} inputs were given, but the kernel takes {}", files.size(), plan.inputs.size()));
  if (files.size() < plan.inputs.size() && request.fill.empty())
    refuse(fmt::format("the kernel takes {} inputs, but {} --input were given; --fill zeros makes the others",
                       plan.inputs.size(), files.size()));
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const auto& planned = plan.inputs[i];
    if (i < files.size()) {
      inputs.push_back(read_input(files[i], planned, plan.elements[i], request));
      if (strict && planned && (inputs[i].dtype() != planned->dtype || inputs[i].shape() != planned->shape))
        refuse(fmt::format("{} is {} {}, but the call takes {} {} as input {}", files[i], name_of(inputs[i].dtype()),
                           to_string(inputs[i].shape()), name_of(planned->dtype), to_string(planned->shape), i));
      if (plan.elements[i] == mosaic::Element::kI4) require_four_bits(inputs[i], files[i]);
      continue;
    }
    if (!planned)
      refuse(
          fmt::format("in{} is read through a map that needs data or a dynamic grid, so that its shape is not known: "
                      "give it with --input",
                      i));
    inputs.push_back(filled(request.fill, device * plan.inputs.size() + i, planned->dtype, planned->shape));
    if (plan.elements[i] == mosaic::Element::kI4) wrap_to_four_bits(inputs.back());
  }
  return inputs;
}

std::vector<Tensor> outputs_of(const Plan& plan, const std::vector<Array>& inputs) {
  std::vector<Tensor> outputs;
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    std::optional<Tensor> output = plan.outputs[i];
    for (const auto& alias : plan.environment.aliases)
      if (alias.output == i) output = Tensor{inputs[alias.input].dtype(), inputs[alias.input].shape()};
    if (!output)
      refuse(
          fmt::format("out{} is written through a map that needs data, so that its shape is not known: say it with "
                      "--output-shape",
                      i));
    outputs.push_back(std::move(*output));
  }
  return outputs;
}

// Of a StableHLO call whose bounds were not given, the first inputs are scalars for them.
std::vector<std::string> take_bounds(const std::vector<std::string>& files, Plan& plan) {
  if (files.size() < plan.bounds)
    refuse(fmt::format("the first {} inputs are the dynamic bounds of the grid: give them with --input or --grid-bound",
                       plan.bounds));
  for (std::size_t i = 0; i < plan.bounds; ++i) {
    const std::string& file = files[i];
    const Array bound = read_npy_in_any_order(file);
    if (bound.size() != 1 || is_float(bound.dtype()))
      refuse(fmt::format("{} is no grid bound: an integer is due", file));
    if (bound.flat(0) < 0) refuse(fmt::format("{} is a grid bound of {}; bounds are 0 or more", file, bound.flat(0)));
    plan.environment.grid_bounds.push_back(static_cast<std::int64_t>(bound.flat(0)));
  }
  return {files.begin() + static_cast<std::ptrdiff_t>(plan.bounds), files.end()};
}

// One list after the other, device by device; all devices run the same kernel on arrays of the same shapes.
std::vector<Array> inputs_of_devices(const KernelRequest& request, Plan& plan, bool strict,
                                     std::vector<std::vector<std::string>> files) {
  std::vector<std::int64_t> bounds;
  std::size_t fewest = ~std::size_t{0};
  for (auto& of_device : files) {
    plan.environment.grid_bounds = request.wish.grid_bounds;
    of_device = take_bounds(of_device, plan);
    if (&of_device != &files[0] && plan.environment.grid_bounds != bounds)
      refuse("the devices are given different bounds of the grid");
    bounds = plan.environment.grid_bounds;
    fewest = std::min(fewest, of_device.size());
  }
  require_filled_fit(plan, fewest, request.max_bytes);
  std::vector<Array> inputs;
  for (std::size_t d = 0; d < files.size(); ++d) {
    std::vector<Array> more = inputs_of(request, plan, strict, files[d], d);
    for (std::size_t i = 0; d > 0 && i < more.size(); ++i)
      if (more[i].dtype() != inputs[i].dtype() || more[i].shape() != inputs[i].shape())
        refuse(fmt::format("input {} of device {} is {} {}, but that of device 0 is {} {}", i, d,
                           name_of(more[i].dtype()), to_string(more[i].shape()), name_of(inputs[i].dtype()),
                           to_string(inputs[i].shape())));
    std::move(more.begin(), more.end(), std::back_inserter(inputs));
  }
  return inputs;
}

void require_output_files(const KernelRequest& request, std::size_t outputs) {
  if (!request.output_files.empty() && request.output_files.size() != outputs)
    refuse(fmt::format("the kernel has {} outputs, but {} --output were given: one each, or none", outputs,
                       request.output_files.size()));
  for (const std::string& file : request.output_files) require_folder_of(file);
}

}  // namespace

RunOptions options_of(const KernelRequest& request) {
  RunOptions options;
  options.schedule = request.schedule, options.max_steps = request.max_steps;
  options.dma_signal = request.dma_signal, options.chip = request.chip;
  return options;
}

LoadedKernel load_kernel(const KernelRequest& request) {
  const auto began = std::chrono::steady_clock::now();
  require_machine(request.target, request.chip, request.dma_signal, request.cores, request.devices);
  machine::choice_named(request.schedule);
  if (is_case_folder(request.module)) {
    const CaseFolder c = read_case_folder(request.module);
    require_output_files(request, c.outputs.size());
    return load_case(c, request.max_bytes);
  }
  if (!request.fill.empty()) require_fill(request.fill);
  const std::vector<std::vector<std::string>> files = files_by_device(request);
  require_files_fit(request, files);
  LoadedKernel loaded;
  loaded.kernel = std::make_shared<const Kernel>(read_kernel_file(request.module, request.pick));
  const Kernel& kernel = *loaded.kernel;
  Plan plan = plan_of(kernel, request.wish);
  plan.environment.devices = static_cast<int>(request.devices),
  plan.environment.cores = static_cast<int>(request.cores);
  require_output_files(request, plan.outputs.size());
  loaded.inputs = inputs_of_devices(request, plan, kernel.call.has_value(), files);
  const std::vector<Array>& inputs = loaded.inputs;
  std::vector<Tensor> in;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) in.push_back({inputs[i].dtype(), inputs[i].shape()});
  loaded.executable = prepare(kernel, plan, std::move(in), outputs_of(plan, inputs), request.max_bytes);
  loaded.steering = steering_inputs(kernel.module, plan.inputs.size(), loaded.executable->program.aliases);
  loaded.seconds = seconds_since(began);
  return loaded;
}

std::string output_file(const KernelRequest& request, std::size_t i, int devices) {
  const std::size_t n = request.output_files.size();
  const std::string& file = request.output_files[i % n];
  if (devices == 1) return file;
  const std::filesystem::path path(file);
  std::filesystem::path named = path.stem();
  named += fmt::format(".{}", i / n);
  named += path.extension();
  return (path.parent_path() / named).string();
}

KernelRun run_kernel(const KernelRequest& request) {
  const LoadedKernel loaded = load_kernel(request);
  KernelRun run;
  run.kernel = loaded.executable->program.name;
  run.load_seconds = loaded.seconds;
  const auto started = std::chrono::steady_clock::now();
  api::Simulation s = api::simulate(*loaded.executable, loaded.inputs, options_of(request), {}, request.progress);
  run.run_seconds = seconds_since(started);
  run.work = s.outcome.work;
  run.stops = std::move(s.stops);
  if (!run.stops.empty()) return run;
  run.outputs = std::move(s.outcome.outputs);
  for (const Array& a : run.outputs)
    if (request.hash) run.sha256.push_back(sha256_of(a));
  run.devices = loaded.executable->program.devices;
  for (std::size_t i = 0; !request.output_files.empty() && i < run.outputs.size(); ++i) {
    run.files.push_back(output_file(request, i, run.devices));
    write_npy(run.files.back(), run.outputs[i]);
  }
  return run;
}

}  // namespace millrace::front
