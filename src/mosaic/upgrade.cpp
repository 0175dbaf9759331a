// SPDX-License-Identifier: Apache-2.0
// One rule for each change of the serialised form between versions 1 and 15.
#include "mosaic/upgrade.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "millrace/error.h"

namespace millrace::mosaic {
namespace {

Attribute i32_attribute(std::int64_t value) { return {IntegerAttr{value, Element::kI32}}; }
Attribute i32_array(std::vector<std::int64_t> values) { return {DenseArrayAttr{std::move(values), Element::kI32}}; }

void set(Op& op, const std::string& name, Attribute value) {
  const auto at = std::ranges::lower_bound(
      op.attributes, name, {}, [](auto& entry) -> auto& { return entry.first; });
  if (at != op.attributes.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    op.attributes.insert(at, {name, std::move(value)});
  }
}

void remove(Op& op, const std::string& name) {
  std::erase_if(op.attributes, [&](const auto& entry) { return entry.first == name; });
}

class Upgrade {
 public:
  Upgrade(const Module& module, std::int64_t version, const std::string& name)
      : module_(module), version_(version), name_(name) {}

  void apply(Region& region) {
    for (Op& op : region.ops) {
      apply(op);
      for (Region& inner : op.regions) apply(inner);
    }
  }

 private:
  void apply(Op& op) {
    if (op.name == "tpu.enqueue_dma") enqueue_dma(op);
    if (op.name == "tpu.sem_signal") sem_signal(op);
    if (op.name == "tpu.wait_dma2") wait_dma2(op);
    if (op.name == "tpu.wait_dma" && op.find("operandSegmentSizes") != nullptr) refuse(op, "its new form");
    if (op.name == "vector.multi_reduction" && version_ < 3) reduction_dims(op);
    if (op.name == "tpu.dynamic_gather" && version_ < 5) dimension_to_list(op);
    if (op.name == "tpu.iota" && version_ < 6) dimension_to_list(op);
    if (op.name == "tpu.store" && version_ >= 11) drop_false(op, "add");
    if (op.name == "tpu.matmul" && version_ >= 13) drop_false(op, "transpose_lhs_hint");
  }

  [[noreturn]] void refuse(const Op& op, const std::string& what) const {
    const Location place = op.location < module_.locations.size() ? module_.locations[op.location] : Location{};
    throw Error(ErrorCode::kUnsupported,
                fmt::format("{}: '{}' of serde version {} uses {}, which is not read", name_, op.name, version_, what),
                place.line > 0 ? SourcePlace{place.file, place.line, place.column} : SourcePlace{});
  }

  // Version 2 gave it segments and a core, 4 a priority, 8 strict_ordering, 12 lets the target semaphore go, 14 adds a
  // subcore.
  void enqueue_dma(Op& op) const {
    if (version_ < 2) {
      if (op.operands.size() != 3 && op.operands.size() != 5)
        refuse(op, fmt::format("{} operands", op.operands.size()));
      set(op, "operandSegmentSizes",
          op.operands.size() == 3 ? i32_array({1, 0, 1, 1, 0, 0}) : i32_array({1, 1, 1, 1, 1, 0}));
    }
    if (version_ < 4) set(op, "priority", i32_attribute(0));
    if (version_ < 8) set(op, "strict_ordering", {IntegerAttr{0, Element::kI1}});
    drop_subcore(op, 7);
  }

  void sem_signal(Op& op) const {
    if (version_ < 2) {
      if (op.operands.size() != 2 && op.operands.size() != 3)
        refuse(op, fmt::format("{} operands", op.operands.size()));
      set(op, "operandSegmentSizes", i32_array({1, 1, op.operands.size() == 3 ? 1 : 0, 0}));
    }
    drop_subcore(op, 5);
  }

  void wait_dma2(Op& op) const {
    if (version_ < 7) set(op, "operandSegmentSizes", i32_array({1, 1, 1, 0, 0}));
    if (version_ < 8) set(op, "strict_ordering", {IntegerAttr{0, Element::kI1}});
  }

  void drop_subcore(Op& op, std::size_t segments) const {
    const auto* sizes = as_integers(op.find("operandSegmentSizes"));
    if (version_ < 14 || sizes == nullptr || sizes->size() != segments) return;
    if (sizes->back() != 0) refuse(op, "a subcore");
    set(op, "operandSegmentSizes", i32_array({sizes->begin(), sizes->end() - 1}));
  }

  void reduction_dims(Op& op) const {
    const Attribute* dims = op.find("reduction_dims");
    const auto* list = dims == nullptr ? nullptr : std::get_if<ArrayAttr>(&dims->value);
    if (list == nullptr) return;
    DenseArrayAttr result{{}, Element::kI64};
    for (const Attribute& dim : list->values) {
      if (as_integer(&dim) == nullptr) refuse(op, "reduction_dims that are no numbers");
      result.values.push_back(*as_integer(&dim));
    }
    set(op, "reduction_dims", {std::move(result)});
  }

  static void dimension_to_list(Op& op) {
    const std::int64_t* dimension = as_integer(op.find("dimension"));
    if (dimension == nullptr) return;
    const std::int64_t value = *dimension;
    remove(op, "dimension");
    set(op, "dimensions", i32_array({value}));
  }

  void drop_false(Op& op, const std::string& name) const {
    const std::int64_t* flag = as_integer(op.find(name));
    if (flag == nullptr) return;
    if (*flag != 0) refuse(op, name);
    remove(op, name);
  }

  const Module& module_;
  std::int64_t version_;
  const std::string& name_;
};

}  // namespace

void upgrade(Module& module, std::int64_t version, const std::string& name) {
  if (version < kOldestVersion || version > kNewestVersion) {
    throw Error(ErrorCode::kUnsupported, fmt::format("{}: serde version {} is not read; versions {} to {} are", name,
                                                     version, kOldestVersion, kNewestVersion));
  }
  for (Function& function : module.functions) Upgrade(module, version, name).apply(function.body);
}

}  // namespace millrace::mosaic
