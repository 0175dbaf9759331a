// SPDX-License-Identifier: Apache-2.0
#include "front/case_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "array/npy_read.h"
#include "front/fill.h"
#include "front/steering.h"
#include "machine/memory.h"
#include "millrace/error.h"

namespace millrace::front {

Array case_array(const CaseFolder& c, const CaseOperand& operand, std::size_t device) {
  const auto path = c.folder / operand.files[operand.files.size() > 1 ? device : 0];
  Array array = read_npy_in_any_order(path, operand.tensor.dtype);
  if (array.shape() != operand.tensor.shape)
    throw Error(ErrorCode::kUser, fmt::format("{} has shape {}, but case.json says {}", path.string(),
                                              to_string(array.shape()), to_string(operand.tensor.shape)));
  return array;
}

namespace {

Array poison(const Tensor& tensor) {
  Array array = Array::unset(tensor.dtype, tensor.shape);
  machine::fill_with_poison(array);
  return array;
}

// Where there is no file nobody looks at the data: 0, 1, 2, ...
Array input_of(const CaseFolder& c, std::size_t i, std::size_t device) {
  const CaseOperand& operand = c.inputs[i];
  if (!operand.files.empty()) return case_array(c, operand, device);
  if (operand.unwritten) return poison(operand.tensor);
  return filled("iota", i, operand.tensor.dtype, operand.tensor.shape);
}

// Those of device 0, then those of device 1, ...; the grid's bounds, which all devices share, come first.
std::vector<Array> inputs_of(const CaseFolder& c) {
  std::vector<Array> inputs;
  for (std::size_t d = 0; d < static_cast<std::size_t>(c.devices); ++d)
    for (std::size_t i = d == 0 ? 0 : c.bounds; i < c.inputs.size(); ++i) inputs.push_back(input_of(c, i, d));
  return inputs;
}

// Arrays without a file, before they are made.
void require_made_fit(const CaseFolder& c, std::uint64_t max_bytes) {
  Plan made;
  made.environment.devices = static_cast<int>(c.devices);
  for (const CaseOperand& o : c.inputs)
    if (o.files.empty()) made.inputs.emplace_back(o.tensor);
  for (const CaseOperand& o : c.outputs) made.outputs.emplace_back(o.tensor);
  require_filled_fit(made, 0, max_bytes);
}

Plan plan_of_case(const CaseFolder& c, const std::vector<Array>& inputs) {
  Plan plan;
  for (std::size_t i = 0; i < c.bounds; ++i) {
    if (inputs[i].size() != 1) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound, not a scalar", i));
    plan.environment.grid_bounds.push_back(static_cast<std::int64_t>(inputs[i].flat(0)));
  }
  for (std::size_t i = c.bounds; i < c.inputs.size(); ++i)
    if (c.inputs[i].unwritten) plan.environment.unwritten.push_back(static_cast<std::uint32_t>(i - c.bounds));
  plan.environment.devices = static_cast<int>(c.devices), plan.environment.cores = static_cast<int>(c.cores);
  for (const Aliased& a : c.aliases) {
    if (a.input < c.bounds) throw Error(ErrorCode::kUser, fmt::format("in{} is a grid bound and an alias", a.input));
    plan.environment.aliases.push_back({a.input - static_cast<std::uint32_t>(c.bounds), a.output});
  }
  return plan;
}

[[noreturn]] void refuse(const std::filesystem::path& folder, const char* option) {
  throw Error(ErrorCode::kUser, fmt::format("{} is a case folder, whose case.json says what {} would: leave it out",
                                            folder.string(), option));
}

}  // namespace

CaseCall call_of(const CaseFolder& c, std::uint64_t max_bytes) {
  require_made_fit(c, max_bytes);
  CaseCall call;
  call.inputs = inputs_of(c);
  call.plan = plan_of_case(c, call.inputs);
  call.inputs.erase(call.inputs.begin(), call.inputs.begin() + static_cast<std::ptrdiff_t>(c.bounds));
  for (std::size_t i = c.bounds; i < c.inputs.size(); ++i) call.in.push_back(c.inputs[i].tensor);
  for (const CaseOperand& o : c.outputs) call.out.push_back(o.tensor);
  return call;
}

LoadedKernel load_case(const CaseFolder& c, std::uint64_t max_bytes) {
  const auto began = std::chrono::steady_clock::now();
  LoadedKernel loaded;
  loaded.kernel = std::make_shared<const Kernel>(read_kernel_file(c.folder));
  CaseCall call = call_of(c, max_bytes);
  const std::size_t inputs = call.in.size();
  loaded.inputs = std::move(call.inputs);
  loaded.executable = prepare(*loaded.kernel, call.plan, std::move(call.in), std::move(call.out), max_bytes);
  loaded.steering = steering_inputs(loaded.kernel->module, inputs, loaded.executable->program.aliases);
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return loaded;
}

bool is_case_folder(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

void complete_from_case(KernelRequest& request) {
  if (!is_case_folder(request.module)) return;
  const KernelRequest untouched;
  const CaseFolder c = read_case_folder(request.module);
  if (!request.pick.empty()) refuse(c.folder, "--kernel");
  if (!request.input_files.empty()) refuse(c.folder, "--input");
  if (!request.fill.empty()) refuse(c.folder, "--fill");
  if (request.wish.outputs) refuse(c.folder, "--outputs");
  if (!request.wish.aliases.empty()) refuse(c.folder, "--alias");
  if (!request.wish.grid_bounds.empty()) refuse(c.folder, "--grid-bound");
  if (!request.wish.output_shapes.empty()) refuse(c.folder, "--output-shape");
  if (request.wish.dtype) refuse(c.folder, "--dtype");
  if (request.cores != untouched.cores) refuse(c.folder, "--cores");
  if (request.devices != untouched.devices) refuse(c.folder, "--devices");
  request.cores = c.cores, request.devices = c.devices;
  if (request.chip == untouched.chip) request.chip = c.chip;
}

}  // namespace millrace::front
