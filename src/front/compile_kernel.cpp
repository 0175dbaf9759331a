// SPDX-License-Identifier: Apache-2.0
#include "front/compile_kernel.h"

#include <fmt/format.h>

#include <system_error>

#include "front/case_folder.h"
#include "front/module_file.h"
#include "millrace/error.h"

namespace millrace::front {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorCode::kUser, what); }

// As the module has them: a bool array lies in it as words.
mosaic::Element element_of(const Plan& plan, std::size_t i) { return plan.elements[i]; }

const Tensor& known(const std::optional<Tensor>& tensor, const std::string& name, const char* option) {
  if (!tensor)
    refuse(fmt::format("{} goes through a map that needs data, so that its shape is not known: say it with {}", name,
                       option));
  return *tensor;
}

void apply_input_shapes(const std::vector<Shape>& shapes, Plan& plan) {
  if (shapes.empty()) return;
  if (shapes.size() != plan.inputs.size())
    refuse(fmt::format("the kernel has {} inputs, but {} --input-shape were given", plan.inputs.size(), shapes.size()));
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (plan.inputs[i])
      plan.inputs[i]->shape = shapes[i];
    else
      plan.inputs[i] = Tensor{array_dtype(plan.elements[i], fmt::format("in{}", i)), shapes[i]};
  }
}

// Fills in operands, results and aliases. The dynamic bounds of the grid come first, a scalar each.
void add_arrays(const Plan& plan, std::size_t bounds, KernelToCompile& kernel) {
  for (std::size_t i = 0; i < bounds; ++i) kernel.call.operands.push_back({mosaic::Element::kI32, {}});
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const std::string name = fmt::format("in{}", i);
    const Tensor& t = known(plan.inputs[i], name, "--input-shape");
    kernel.call.operands.push_back({element_of(plan, i), t.shape});
    kernel.operands.push_back({name, t.shape});
  }
  for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
    const std::string name = fmt::format("out{}", i);
    const Tensor& t = known(plan.outputs[i], name, "--output-shape");
    kernel.call.results.push_back({element_of(plan, plan.inputs.size() + i), t.shape});
    kernel.operands.push_back({name, t.shape});
  }
  for (const auto& a : plan.environment.aliases) kernel.call.aliases.push_back({bounds + a.input, a.output});
}

bool is_case(const fs::path& file) {
  std::error_code error;
  return fs::is_directory(file, error) && fs::is_regular_file(file / "case.json", error);
}

// A case folder knows its arrays as a StableHLO call does.
Kernel kernel_of_case(const fs::path& folder) {
  const CaseFolder c = read_case_folder(folder);
  Kernel kernel = read_kernel_file(folder / "kernel.mlirbc");
  CustomCall call;
  call.kernel_name = c.name;
  for (const CaseOperand& o : c.inputs) call.operands.push_back(o.tensor);
  for (const CaseOperand& o : c.outputs) call.results.push_back(o.tensor);
  call.aliases = c.aliases;
  kernel.call = std::move(call);
  return kernel;
}

// Whether an operation names another device: the compiler wants to be told.
bool communicates(const mosaic::Region& region) {
  for (const mosaic::Op& op : region.ops) {
    const auto* sizes = mosaic::as_integers(op.find("operandSegmentSizes"));
    const std::size_t device = op.name == "tpu.enqueue_dma" ? 4 : op.name == "tpu.sem_signal" ? 2 : ~std::size_t{0};
    if (sizes && device < sizes->size() && (*sizes)[device] > 0) return true;
    for (const mosaic::Region& inner : op.regions)
      if (communicates(inner)) return true;
  }
  return false;
}

std::string name_of_kernel(const Kernel& kernel) {
  if (!kernel.module.name.empty()) return kernel.module.name;
  if (kernel.call && !kernel.call->kernel_name.empty()) return kernel.call->kernel_name;
  const mosaic::Function* f = kernel.module.kernel();
  return f ? f->name : "kernel";
}

}  // namespace

KernelToCompile read_to_compile(const fs::path& file, const std::string& pick, const Wish& wish,
                                const std::vector<Shape>& input_shapes) {
  const Kernel kernel = is_case(file) ? kernel_of_case(file) : read_kernel_file(file, pick);
  Plan plan = plan_of(kernel, wish);
  apply_input_shapes(input_shapes, plan);
  KernelToCompile result;
  result.module = file.string();
  result.kernel = name_of_kernel(kernel);
  result.call.kernel_name = result.kernel;
  result.call.body = mosaic::write_module(kernel.module);
  const mosaic::Function* function = kernel.module.kernel();
  if (function && communicates(function->body))
    result.call.settings = R"({"custom_call_config": {"has_communication": true}})";
  if (kernel.call) {
    if (!kernel.call->settings.empty()) result.call.settings = kernel.call->settings;
    result.vmem_limit = vmem_limit_of(*kernel.call);
  }
  add_arrays(plan, signature_of(kernel.module).dynamic_bounds(), result);
  result.tree = kernel.module;
  return result;
}

std::optional<bool> CompiledKernel::agrees() const {
  using target::Verdict;
  if (!rules_apply || (compiled.verdict != Verdict::kAccepted && compiled.verdict != Verdict::kRefused)) return {};
  return rules.empty() == (compiled.verdict == Verdict::kAccepted);
}

CompiledKernel compile_kernel(const KernelToCompile& kernel, const plan::Chip& chip, const CompileSettings& settings) {
  CompiledKernel result{chip, {}, {}, kernel.vmem_limit.value_or(chip.vmem_limit), {}, chip.generation >= 4};
  const rules::Question question{kernel.tree, chip, kernel.operands, kernel.vmem_limit};
  result.modeled = rules::budget_of(question);
  if (result.rules_apply) result.rules = rules::check_rules(question);
  target::CompileRequest request{settings.library, std::string(chip.name), kernel.call, settings.worker, settings.keep};
  result.compiled = target::compile(request);
  return result;
}

}  // namespace millrace::front
