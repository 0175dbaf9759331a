// SPDX-License-Identifier: Apache-2.0
#include "c_api/module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "array/sha256.h"
#include "front/json_text.h"
#include "front/steering.h"
#include "mosaic/io.h"
#include "program/scopes.h"
#include "report/place.h"

namespace millrace::c_api {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostModules = 256, kMostShapes = 64;

// No machine's folders in a report: from `root` where the file lies below it, else its last two parts.
std::string short_name(const std::string& file, const std::string& root) {
  if (root.empty() || !file.starts_with('/')) return file;
  const std::string below = report::Naming{root, ""}.file(file);
  if (!below.starts_with('/')) return below;
  const std::filesystem::path path(below);
  return (path.parent_path().filename() / path.filename()).generic_string();
}

ordered_json json_of(const std::vector<std::optional<front::Tensor>>& tensors,
                     const std::vector<mosaic::Element>& elements, std::size_t first) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto& t = tensors[i];
    list.push_back({{"dtype", millrace::name_of(t ? t->dtype : front::array_dtype(elements[first + i], "an operand"))},
                    {"shape", t ? ordered_json(t->shape) : ordered_json()}});
  }
  return list;
}

// Without bounds the shapes of a dynamic grid are not known; that is no fault here.
front::Plan plan_without_bounds(const front::Kernel& kernel, const front::Signature& signature, front::Wish wish) {
  if (signature.dynamic_bounds() > 0 && !kernel.call) wish.grid_bounds.assign(signature.dynamic_bounds(), 1);
  front::Plan plan = front::plan_of(kernel, wish);
  if (signature.dynamic_bounds() == 0 || kernel.call) return plan;
  for (auto& t : plan.inputs) t.reset();
  for (auto& t : plan.outputs) t.reset();
  return plan;
}

std::string described(const front::Signature& signature, const front::Plan& plan, const Options& options) {
  ordered_json json{{"kernel", signature.name}, {"grid", ordered_json::array()}};
  for (std::int64_t n : signature.grid)
    json["grid"].push_back(n == mosaic::kDynamic ? ordered_json() : ordered_json(n));
  json["bounds"] = signature.dynamic_bounds();
  json["inputs"] = json_of(plan.inputs, plan.elements, 0);
  json["outputs"] = json_of(plan.outputs, plan.elements, plan.inputs.size());
  json["devices"] = options.request.kernel.devices;
  return json.dump();
}

std::string key_of(const std::vector<front::Tensor>& inputs, const std::vector<front::Tensor>& outputs,
                   const std::vector<std::int64_t>& bounds) {
  std::string key;
  for (const auto* list : {&inputs, &outputs})
    for (const front::Tensor& t : *list)
      key += fmt::format("{}[{}] ", static_cast<int>(t.dtype), fmt::join(t.shape, ","));
  return key + fmt::format("{}", fmt::join(bounds, ","));
}

// Iterative: the depth of a module is its author's.
bool contains(const mosaic::Module& module, std::string_view operation) {
  std::vector<const mosaic::Region*> todo;
  for (const mosaic::Function& f : module.functions) todo.push_back(&f.body);
  while (!todo.empty()) {
    const mosaic::Region& region = *todo.back();
    todo.pop_back();
    for (const mosaic::Op& op : region.ops) {
      if (op.name == operation) return true;
      for (const mosaic::Region& inner : op.regions) todo.push_back(&inner);
    }
  }
  return false;
}

struct Cache {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Module>, std::less<>> modules;
};

Cache& cache() {
  static Cache* const instance = new Cache;  // threads of XLA may outlive static objects
  return *instance;
}

}  // namespace

Module::Module(std::string_view bytes, Options options) : options_(std::move(options)), bytes_(bytes) {
  auto kernel = std::make_shared<front::Kernel>(front::read_kernel(bytes, options_.name, options_.request.kernel.pick));
  for (mosaic::Location& l : kernel->module.locations) {
    if (!l.file.empty()) l.scope.clear();  // there it is the Python function's name; the line says more
    std::string name = short_name(l.file, options_.root);
    if (!l.file.empty()) sources_.emplace(name, l.file);
    l.file = std::move(name);
  }
  kernel_ = std::move(kernel);
  const front::Signature signature = front::signature_of(kernel_->module);
  for (front::Aliased& a : options_.request.kernel.wish.aliases) {
    if (a.input < signature.dynamic_bounds())
      throw Error(ErrorCode::kUser,
                  fmt::format("input {} is a bound of the grid and cannot share an output's buffer", a.input));
    a.input -= static_cast<std::uint32_t>(signature.dynamic_bounds());
  }
  const front::Plan plan = plan_without_bounds(*kernel_, signature, options_.request.kernel.wish);
  bounds_ = signature.dynamic_bounds();
  inputs_ = plan.inputs.size(), outputs_ = plan.outputs.size(), scratch_ = signature.scratch.size();
  asks_for_device_ = contains(kernel_->module, "tpu.device_id");
  description_ = described(signature, plan, options_);
}

std::shared_ptr<Module> Module::open(std::string_view bytes, const std::string& options) {
  const std::string key = options + '\0' + std::string(bytes);
  Cache& kept = cache();
  {
    const std::lock_guard lock(kept.mutex);
    if (const auto found = kept.modules.find(key); found != kept.modules.end()) return found->second;
  }
  const auto json = options.empty() ? nlohmann::json::object() : front::parse_json_object(options, "the options");
  auto module = std::make_shared<Module>(bytes, options_of(json));
  const std::lock_guard lock(kept.mutex);
  if (kept.modules.size() >= kMostModules) kept.modules.clear();  // whoever holds one still has it
  return kept.modules.emplace(key, std::move(module)).first->second;
}

std::string Module::source_of(const std::string& name) const {
  const auto found = sources_.find(name);
  return found == sources_.end() ? name : found->second;
}

// Read anew: the module at hand has other places, and few ask.
std::string Module::sha256() const {
  return sha256_of(
      mosaic::write_module(front::read_kernel(bytes_, options_.name, options_.request.kernel.pick).module));
}

api::Names Module::names() const {
  api::Names names;
  const std::vector<program::Scoped> scoped = program::scoped_of(*kernel_->module.kernel());
  const std::size_t semaphores = static_cast<std::size_t>(std::ranges::count_if(scoped, &program::Scoped::semaphore));
  if (options_.scoped_semaphores.size() == semaphores && options_.scoped.size() == scoped.size() - semaphores)
    for (const program::Scoped& s : scoped) {
      const std::string& name = (s.semaphore ? options_.scoped_semaphores : options_.scoped)[s.number];
      if (!name.empty()) names.emplace(name_of(s), name);
    }
  const std::vector<std::string>& given = options_.arguments;
  if (given.size() != inputs_ + outputs_ + scratch_) return names;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool input = i < inputs_, output = !input && i < inputs_ + outputs_;
    const std::size_t first = input ? 0 : output ? inputs_ : inputs_ + outputs_;
    if (!given[i].empty())
      names.emplace(fmt::format("{}{}", input ? "in" : output ? "out" : "scratch", i - first), given[i]);
  }
  return names;
}

front::LoadedKernel Module::prepare(const std::vector<front::Tensor>& inputs, const std::vector<front::Tensor>& outputs,
                                    const std::vector<std::int64_t>& bounds) const {
  const front::KernelRequest& request = options_.request.kernel;
  front::Wish wish = request.wish;
  wish.grid_bounds = bounds;
  front::Plan plan = front::plan_of(*kernel_, wish);
  plan.environment.devices = static_cast<int>(request.devices),
  plan.environment.cores = static_cast<int>(request.cores);
  plan.names = names();
  front::LoadedKernel loaded;
  loaded.kernel = kernel_;
  loaded.executable = front::prepare(*kernel_, plan, inputs, outputs, request.max_bytes);
  loaded.steering = front::steering_inputs(kernel_->module, inputs.size(), loaded.executable->program.aliases);
  for (std::string& name : loaded.steering)
    if (const auto better = plan.names.find(name); better != plan.names.end()) name = better->second;
  return loaded;
}

front::LoadedKernel Module::prepared(const std::vector<front::Tensor>& inputs,
                                     const std::vector<front::Tensor>& outputs,
                                     const std::vector<std::int64_t>& bounds) {
  const std::string key = key_of(inputs, outputs, bounds);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = prepared_.find(key); found != prepared_.end()) return found->second;
  }
  front::LoadedKernel loaded = prepare(inputs, outputs, bounds);
  const std::lock_guard lock(mutex_);
  if (prepared_.size() >= kMostShapes) prepared_.clear();
  return prepared_.emplace(key, std::move(loaded)).first->second;
}

}  // namespace millrace::c_api
