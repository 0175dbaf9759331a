// SPDX-License-Identifier: Apache-2.0
#include "front/steering.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "front/signature.h"

namespace millrace::front {

namespace {

using mosaic::Op;
using mosaic::ValueId;
using Inputs = std::set<std::uint32_t>;

// One function, passed over until nothing changes. A value has the inputs that its bits come from; of a memref these
// are the inputs that its address comes from, and its memory has those of its elements.
class Flow {
 public:
  explicit Flow(const mosaic::Function& function) : function_(function), values_(function.values.size()) {
    for (ValueId v = 0; v < values_.size(); ++v) memory_.push_back(v);
  }

  void same(ValueId a, ValueId b) { memory_[a] = memory_[b]; }
  void holds(ValueId memref, std::uint32_t input) { elements_[memory_[memref]].insert(input); }
  // The inputs that steer; with those of the results where the function is an index map.
  Inputs steering(bool results) {
    do {
      changed_ = false;
      pass(function_.body, {});
    } while (changed_);
    if (results)
      for (ValueId v : function_.body.ops.back().operands) steering_.insert(values_[v].begin(), values_[v].end());
    return steering_;
  }

 private:
  using Type = mosaic::Type;
  bool is_memref(ValueId v) const { return function_.values[v].kind == Type::Kind::kMemref; }
  bool is_memory(ValueId v) const {
    const mosaic::Element e = function_.values[v].element;
    return is_memref(v) && e != mosaic::Element::kSemaphore && e != mosaic::Element::kDmaSemaphore;
  }
  bool is_scalar(ValueId v) const { return function_.values[v].kind == Type::Kind::kScalar; }

  void add(Inputs& to, const Inputs& from) {
    const std::size_t before = to.size();
    to.insert(from.begin(), from.end());
    changed_ |= to.size() != before;
  }
  void steer(const Inputs& by) { add(steering_, by); }

  // Values that are handed on by position: `from` begins at `skip`.
  void hand_on(const std::vector<ValueId>& from, std::size_t skip, const std::vector<ValueId>& to, std::size_t first) {
    for (std::size_t i = 0; skip + i < from.size() && first + i < to.size(); ++i)
      add(values_[to[first + i]], values_[from[skip + i]]);
  }
  void pass(const mosaic::Region& region, const Inputs& context) {
    for (const Op& op : region.ops) pass(op, context);
  }
  void pass(const Op& op, const Inputs& context);
  void control(const Op& op, Inputs context);
  void plain(const Op& op, const Inputs& context);

  const mosaic::Function& function_;
  std::vector<Inputs> values_;
  std::vector<ValueId> memory_;  // of a memref: the value that allocates what it is a view of
  std::map<ValueId, Inputs> elements_;
  Inputs steering_;
  bool changed_ = false;
};

const std::vector<ValueId>& handed_out(const mosaic::Region& region) {
  static const std::vector<ValueId> nothing;  // of an else that is not there
  return region.ops.empty() ? nothing : region.ops.back().operands;
}

// What happens under a condition comes from the condition, too.
void Flow::control(const Op& op, Inputs context) {
  const bool loop = op.name == "scf.for", branch = op.name == "scf.if";
  const std::size_t deciding = loop ? 3 : branch ? 1 : 0;
  for (std::size_t i = 0; i < std::min(deciding, op.operands.size()); ++i)
    context.insert(values_[op.operands[i]].begin(), values_[op.operands[i]].end());
  steer(context);
  if (op.name == "scf.while" && op.regions.size() == 2) {
    const mosaic::Region &before = op.regions[0], &after = op.regions[1];
    hand_on(op.operands, 0, before.arguments, 0);
    hand_on(handed_out(after), 0, before.arguments, 0);
    const Inputs condition = values_[handed_out(before).at(0)];
    context.insert(condition.begin(), condition.end());
    steer(context);
    hand_on(handed_out(before), 1, after.arguments, 0);
    hand_on(handed_out(before), 1, op.results, 0);
  } else if (loop) {
    const mosaic::Region& body = op.regions[0];
    add(values_[body.arguments[0]], context);
    hand_on(op.operands, 3, body.arguments, 1);
    hand_on(handed_out(body), 0, body.arguments, 1);
  }
  for (const mosaic::Region& region : op.regions) {
    pass(region, context);
    if (op.name != "scf.while") hand_on(handed_out(region), 0, op.results, 0);
  }
  if (loop) hand_on(op.operands, 3, op.results, 0);
  for (ValueId r : op.results) add(values_[r], context);
}

void Flow::plain(const Op& op, const Inputs& context) {
  Inputs in = context;
  bool views = false;  // an operand before was a memref: scalars are indices and amounts
  for (ValueId v : op.operands) {
    in.insert(values_[v].begin(), values_[v].end());
    if (is_memref(v) || (views && is_scalar(v))) steer(values_[v]);
    views |= is_memref(v);
  }
  const auto of_memory = [&](ValueId v) -> Inputs& { return elements_[memory_[v]]; };
  for (ValueId v : op.operands)
    if (is_memory(v) && std::ranges::none_of(op.results, [&](ValueId r) { return is_memref(r); }))
      in.insert(of_memory(v).begin(), of_memory(v).end());
  if (op.name == "cf.assert") steer(in);
  // What is written is the last memory: the target of a DMA stands behind its source.
  const auto written = std::find_if(op.operands.rbegin(), op.operands.rend(), [&](ValueId v) { return is_memory(v); });
  if (op.results.empty() && written != op.operands.rend()) add(of_memory(*written), in);
  const auto base = std::ranges::find_if(op.operands, [&](ValueId v) { return is_memref(v); });
  for (ValueId r : op.results) {
    add(values_[r], in);
    if (is_memref(r) && base != op.operands.end()) memory_[r] = memory_[*base];
  }
}

void Flow::pass(const Op& op, const Inputs& context) {
  if (!op.regions.empty())
    control(op, context);
  else
    plain(op, context);
}

}  // namespace

std::vector<std::string> steering_inputs(const mosaic::Module& module, std::size_t inputs,
                                         const std::vector<program::Environment::Alias>& aliases) {
  const Signature signature = signature_of(module);
  const mosaic::Function& kernel = *module.kernel();
  const auto argument = [&](std::size_t operand) { return kernel.body.arguments[signature.grid.size() + operand]; };
  Flow body(kernel);
  for (const auto& a : aliases) body.same(argument(a.input), argument(inputs + a.output));
  for (std::uint32_t i = 0; i < inputs; ++i) body.holds(argument(i), i);
  Inputs all = body.steering(false);
  for (const Operand& o : signature.operands) {
    if (!o.map) continue;
    Flow map(*o.map);
    std::uint32_t prefetched = 0;
    for (ValueId v : o.map->body.arguments)
      if (o.map->values[v].kind == mosaic::Type::Kind::kMemref) map.holds(v, prefetched++);
    const Inputs some = map.steering(true);
    all.insert(some.begin(), some.end());
  }
  std::vector<std::string> names;
  for (std::uint32_t i : all) names.push_back(fmt::format("in{}", i));
  return names;
}

}  // namespace millrace::front
