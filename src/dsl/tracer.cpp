// SPDX-License-Identifier: Apache-2.0
#include "dsl/tracer.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "dsl/attributes.h"

namespace millrace::dsl {
namespace {

thread_local Tracer* running_tracer = nullptr;  // set only while a kernel is traced

std::string key_of(const mosaic::Type& type) {
  std::string key = fmt::format("{}:{}", static_cast<int>(type.kind), static_cast<int>(type.element));
  for (auto n : type.shape) key += fmt::format(",{}", n);
  return key;
}

std::int64_t sign_extended(std::uint64_t bits, mosaic::Element element) {
  if (element == mosaic::Element::kI1) return static_cast<std::int64_t>(bits & 1);
  if (element == mosaic::Element::kI8) return static_cast<std::int8_t>(bits);
  if (element == mosaic::Element::kI16) return static_cast<std::int16_t>(bits);
  if (element == mosaic::Element::kI32) return static_cast<std::int32_t>(bits);
  return static_cast<std::int64_t>(bits);
}

mosaic::Attribute constant_attribute(const mosaic::Type& type, std::uint64_t bits) {
  using mosaic::Element;
  if (type.kind == mosaic::Type::Kind::kVector) {
    std::vector<std::byte> data(static_cast<std::size_t>(mosaic::size_in_bytes(type.element)));
    std::memcpy(data.data(), &bits, data.size());
    return {mosaic::DenseElementsAttr{type, true, std::move(data)}};
  }
  if (type.element == Element::kF32 || type.element == Element::kBF16 || type.element == Element::kF16) {
    return {mosaic::FloatAttr{bits, type.element}};
  }
  return integer(sign_extended(bits, type.element), type.element);
}

}  // namespace

Running::Running(Tracer& tracer) : tracer_(tracer), before_(running_tracer) { running_tracer = &tracer; }
Running::~Running() {
  running_tracer = before_;
  tracer_.programs = {};
}

Tracer::Tracer(std::string module_name) { module_.name = std::move(module_name); }

Tracer* Tracer::running() { return running_tracer; }

Tracer& Tracer::current(const Site& at, std::string_view what) {
  if (!running_tracer) {
    fail(at,
         fmt::format("{} outside a kernel: the language works only while a kernel or an index map is traced", what));
  }
  return *running_tracer;
}

void Tracer::function(const std::string& name, const std::vector<mosaic::Type>& arguments, const Site& at,
                      const std::function<void(const std::vector<mosaic::ValueId>&)>& body,
                      const std::function<mosaic::AttributeList()>& attributes) {
  function_ = {};
  sites_.clear();
  constants_.clear();
  constant_ids_.clear();
  function_.name = name;
  function_.location = location(at, {});
  function_.body = region(arguments, body, at);
  for (mosaic::ValueId result : function_.body.ops.back().operands) function_.results.push_back(type(result));
  auto& ops = function_.body.ops;
  ops.insert(ops.begin(), std::make_move_iterator(constants_.begin()), std::make_move_iterator(constants_.end()));
  function_.attributes = attributes();
  module_.functions.push_back(std::move(function_));
}

mosaic::Region Tracer::region(const std::vector<mosaic::Type>& arguments,
                              const std::function<void(const std::vector<mosaic::ValueId>&)>& body, const Site& at) {
  scopes_.push_back({++scopes_made_, {}, {}});
  std::vector<mosaic::ValueId> ids;
  for (const auto& type : arguments) ids.push_back(add_value(type));
  for (auto id : ids) sites_[id] = origin.value_or(at);
  scopes_.back().region.arguments = ids;
  body(ids);
  mosaic::Region region = std::move(scopes_.back().region);
  scopes_.pop_back();
  return region;
}

mosaic::ValueId Tracer::add_value(const mosaic::Type& type) {
  function_.values.push_back(type);
  sites_.resize(function_.values.size());
  return static_cast<mosaic::ValueId>(function_.values.size() - 1);
}

mosaic::LocationId Tracer::location(const Site& at, const std::string& operation) {
  SourcePlace place = place_of(origin.value_or(at));
  mosaic::Location location{scope, place.file, place.line, 0};
  if (!scope.empty() && operation == "tpu.enqueue_dma") location.scope += "/dma_start";
  if (!scope.empty() && operation == "tpu.wait_dma2") location.scope += "/dma_wait";
  std::string key = fmt::format("{}\n{}\n{}", location.scope, location.file, location.line);
  auto [found, is_new] = location_ids_.try_emplace(key, static_cast<mosaic::LocationId>(module_.locations.size()));
  if (is_new) module_.locations.push_back(location);
  return found->second;
}

Node Tracer::node(mosaic::ValueId value, DType dtype, const Shape& shape) {
  made_.push_back({value, scopes_.back().serial, sites_[value]});
  return {shared_from_this(), static_cast<std::uint32_t>(made_.size() - 1), dtype, shape, {}};
}

mosaic::ValueId Tracer::use(const Node& node, const Site& at) {
  if (node.constant) return constant(type_of(node.dtype, {}), encode(node.dtype, static_cast<double>(*node.constant)));
  if (node.owner.get() != this) fail(at, "a value of another kernel's trace is used here");
  const Made& made = made_[node.id];
  bool open = std::any_of(scopes_.begin(), scopes_.end(), [&](const Scope& s) { return s.serial == made.scope; });
  if (!open) {
    SourcePlace place = place_of(made.at);
    fail(at, fmt::format("a value made at {}:{} inside a branch, loop or scope is used outside it; hand it out through "
                         "carry(...), or store it in memory",
                         place.file, place.line));
  }
  return made.value;
}

std::vector<mosaic::ValueId> Tracer::use(const Nodes& nodes, const Site& at) {
  std::vector<mosaic::ValueId> ids;
  for (const Node& node : nodes) ids.push_back(use(node, at));
  return ids;
}

mosaic::Op& Tracer::append(mosaic::Op op) {
  auto& ops = scopes_.back().region.ops;
  ops.push_back(std::move(op));
  return ops.back();
}

std::vector<mosaic::ValueId> Tracer::emit(std::string name, std::vector<mosaic::ValueId> operands,
                                          mosaic::AttributeList attributes, const std::vector<mosaic::Type>& results,
                                          std::vector<mosaic::Region> regions, const Site& at) {
  mosaic::Op op;
  op.location = location(at, name);
  op.name = std::move(name);
  op.operands = std::move(operands);
  op.attributes = std::move(attributes);
  op.regions = std::move(regions);
  for (const auto& type : results) {
    const bool some = std::ranges::all_of(type.shape, [](std::int64_t n) { return n != 0; });
    if (type.kind == mosaic::Type::Kind::kVector && !some)
      fail(at, fmt::format("a value of shape {} is empty; kernels compute with one element or more",
                           to_string(Shape(type.shape.begin(), type.shape.end()))));
    op.results.push_back(add_value(type));
    sites_[op.results.back()] = origin.value_or(at);
  }
  return append(std::move(op)).results;
}

mosaic::ValueId Tracer::emit(std::string name, std::vector<mosaic::ValueId> operands, mosaic::AttributeList attributes,
                             const mosaic::Type& result, const Site& at) {
  return emit(std::move(name), std::move(operands), std::move(attributes), std::vector{result}, {}, at).front();
}

void Tracer::emit(std::string name, std::vector<mosaic::ValueId> operands, mosaic::AttributeList attributes,
                  const Site& at) {
  emit(std::move(name), std::move(operands), std::move(attributes), std::vector<mosaic::Type>{}, {}, at);
}

mosaic::ValueId Tracer::share(const std::string& name, const std::vector<mosaic::ValueId>& operands,
                              const std::string& key, mosaic::AttributeList attributes, const mosaic::Type& result,
                              const Site& at) {
  std::string all = name + "|" + key + "|" + key_of(result);
  for (auto id : operands) all += fmt::format(" {}", id);
  for (auto& scope : scopes_) {
    if (auto found = scope.shared.find(all); found != scope.shared.end()) return found->second;
  }
  auto id = emit(name, operands, std::move(attributes), result, at);
  scopes_.back().shared.emplace(std::move(all), id);
  return id;
}

mosaic::ValueId Tracer::constant(const mosaic::Type& type, std::uint64_t bits) {
  auto [found, is_new] = constant_ids_.try_emplace({key_of(type), bits}, 0);
  if (is_new) {
    found->second = add_value(type);
    mosaic::Op op;
    op.name = "arith.constant";
    op.results = {found->second};
    op.attributes = {{"value", constant_attribute(type, bits)}};
    constants_.push_back(std::move(op));
  }
  return found->second;
}

}  // namespace millrace::dsl
