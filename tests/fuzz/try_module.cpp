// SPDX-License-Identifier: Apache-2.0
#include "try_module.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/simulate.h"
#include "front/fill.h"
#include "front/inspect.h"
#include "front/module_file.h"
#include "front/session.h"
#include "millrace/error.h"

namespace millrace::fuzz {

namespace {

constexpr std::uint64_t kMaxSteps = 2000;
constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr std::size_t kMostCalls = 4;

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// What is read can be written, in any form, and is then read as the same.
void try_round_trip(const mosaic::Module& module, std::uint64_t hash) {
  mosaic::WriteOptions options;
  options.form = (hash & 1) != 0 ? mosaic::Form::kText : mosaic::Form::kBytecode;
  options.names = (hash & 2) != 0 ? mosaic::Names::kStable : mosaic::Names::kPlain;
  const mosaic::Module again = mosaic::read_module(mosaic::write_module(module, options), "written");
  if (!mosaic::same(module, again, false)) throw std::logic_error("a module is read otherwise than it was written");
}

// Operands as the module's windows suggest them; where they say nothing, as large as the kernel's arguments.
std::vector<front::Tensor> guessed(const std::vector<std::optional<front::Tensor>>& planned,
                                   const front::Signature& signature, std::size_t first) {
  std::vector<front::Tensor> result;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    if (planned[i]) {
      result.push_back(*planned[i]);
      continue;
    }
    const front::Operand& operand = signature.operands[first + i];
    Shape shape = operand.type.shape;
    for (std::int64_t& n : shape) n = n < 0 ? 8 : n;
    element_count(shape);
    result.push_back({front::array_dtype(operand.type.element, "an operand"), shape});
  }
  return result;
}

void try_run(const front::Kernel& kernel, std::uint64_t hash) {
  const front::Signature signature = front::signature_of(kernel.module);
  front::Wish wish;
  if (!kernel.call) wish.outputs = std::min<std::size_t>(1 + hash % 2, signature.operands.size());
  wish.grid_bounds.assign(signature.dynamic_bounds(), 2);
  front::Plan plan = front::plan_of(kernel, wish);
  front::require_filled_fit(plan, 0, kMaxBytes);
  std::vector<front::Tensor> inputs = guessed(plan.inputs, signature, 0);
  std::vector<front::Tensor> outputs = guessed(plan.outputs, signature, plan.inputs.size());
  const auto executable = front::prepare(kernel, plan, inputs, outputs, kMaxBytes);
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    arrays.push_back(front::filled("iota", i, inputs[i].dtype, inputs[i].shape));
  const char* const schedules[] = {"canonical", "eager", "lazy", "random:1"};
  RunOptions options;
  options.schedule = schedules[hash / 2 % 4];
  options.max_steps = kMaxSteps, options.detect_races = true, options.track_writers = true;
  api::simulate(*executable, arrays, options);
}

void try_kernel(const front::Kernel& kernel, std::uint64_t hash) {
  if (hash % 4 == 0) try_round_trip(kernel.module, hash / 4);
  answered([&] { front::to_json(front::inspect(kernel, 1)); });
  answered([&] { try_run(kernel, hash / 16); });
}

}  // namespace

bool answered(const std::function<void()>& action) {
  try {
    action();
    return true;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    if (std::string_view(error.what()).empty()) throw std::logic_error("a refusal without a sentence");
    return false;
  }
}

void try_module(std::string_view bytes) {
  answered([&] {
    const front::Kernel kernel = front::read_kernel(bytes, "module");
    try_kernel(kernel, hash_of(bytes));
  });
}

void try_stablehlo(std::string_view text) {
  if (!front::is_stablehlo(text)) return try_module(text);
  for (std::size_t i = 0; i < kMostCalls; ++i) {
    const bool read = answered([&] {
      const front::Kernel kernel = front::read_kernel(text, "export.mlir", std::to_string(i));
      answered([&] { try_run(kernel, hash_of(text)); });
    });
    if (!read) return;
  }
}

void try_call(std::string_view json) {
  std::string quoted;
  for (const char c : json) {
    const auto byte = static_cast<unsigned char>(c);
    quoted += byte < 0x20 || byte >= 0x7f || c == '"' || c == '\\' ? fmt::format("\\{:02X}", byte) : std::string(1, c);
  }
  try_stablehlo(
      fmt::format("module {{\n  %0 = stablehlo.custom_call @tpu_custom_call(%arg0) {{backend_config = \"{}\", "
                  "kernel_name = \"k\"}} "
                  ": (tensor<8x128xf32>) -> tensor<8x128xf32>\n}}\n",
                  quoted));
}

}  // namespace millrace::fuzz
