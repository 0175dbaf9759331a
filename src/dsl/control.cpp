// SPDX-License-Identifier: Apache-2.0
#include "millrace/control.h"

#include <fmt/format.h>

#include "dsl/arith.h"

namespace millrace {
namespace dsl {
namespace {

using Types = std::vector<mosaic::Type>;
using Ids = std::vector<mosaic::ValueId>;

Types types_of(const Nodes& nodes) {
  Types types;
  for (const Node& n : nodes) types.push_back(type_of(n.dtype, n.shape));
  return types;
}

// The nodes of values that are new here: arguments of a region, or results.
Nodes nodes_like(Tracer& t, const Nodes& like, const Ids& ids, std::size_t skip = 0) {
  Nodes nodes;
  for (std::size_t i = 0; i < like.size(); ++i) nodes.push_back(t.node(ids[i + skip], like[i].dtype, like[i].shape));
  return nodes;
}

void check_same(const Nodes& expected, const Nodes& given, const char* what, const Site& at) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].dtype == given[i].dtype && expected[i].shape == given[i].shape) continue;
    fail(at, fmt::format("{}: carried value {} is {} at first and {} then", what, i,
                         describe(expected[i].dtype, expected[i].shape), describe(given[i].dtype, given[i].shape)));
  }
}

template <class... R>
std::vector<mosaic::Region> regions_of(R... regions) {
  std::vector<mosaic::Region> all;
  (all.push_back(std::move(regions)), ...);
  return all;
}

}  // namespace

Nodes for_nodes(const Index& lo, const Index& hi, const Nodes& first,
                const std::function<Nodes(Index, const Nodes&)>& body, const Site& at) {
  Tracer& t = Tracer::current(at, "for_range");
  Types types{type_of(DType::i32, {})};
  for (const auto& type : types_of(first)) types.push_back(type);
  Ids operands{t.use(lo.node(), at), t.use(hi.node(), at), t.constant(types.front(), 1)};
  for (auto id : t.use(first, at)) operands.push_back(id);
  auto region = t.region(
      types,
      [&](const Ids& arguments) {
        Nodes next = body(Index(t.node(arguments[0], DType::i32, {})), nodes_like(t, first, arguments, 1));
        check_same(first, next, "for_range", at);
        t.emit("scf.yield", t.use(next, at), {}, at);
      },
      at);
  Ids results = t.emit("scf.for", operands, {}, types_of(first), regions_of(std::move(region)), at);
  return nodes_like(t, first, results);
}

Nodes while_nodes(const Nodes& first, const std::function<Bool(const Nodes&)>& test,
                  const std::function<Nodes(const Nodes&)>& body, const Site& at) {
  Tracer& t = Tracer::current(at, "while_loop");
  Types types = types_of(first);
  auto before = t.region(
      types,
      [&](const Ids& arguments) {
        Nodes now = nodes_like(t, first, arguments);
        Bool go_on = test(now);
        if (!go_on.shape().empty()) fail(at, "while_loop: the test is a mask; it must be one condition");
        Ids operands{t.use(go_on.node(), at)};
        for (auto id : t.use(now, at)) operands.push_back(id);
        t.emit("scf.condition", operands, {}, at);
      },
      at);
  auto after = t.region(
      types,
      [&](const Ids& arguments) {
        Nodes next = body(nodes_like(t, first, arguments));
        check_same(first, next, "while_loop", at);
        t.emit("scf.yield", t.use(next, at), {}, at);
      },
      at);
  Ids results = t.emit("scf.while", t.use(first, at), {}, types, regions_of(std::move(before), std::move(after)), at);
  return nodes_like(t, first, results);
}

Nodes if_nodes(const Bool& chosen, const std::function<Nodes()>& yes, const std::function<Nodes()>& no,
               const Site& at) {
  Tracer& t = Tracer::current(at, "when");
  if (auto known = chosen.node().constant) return *known ? yes() : no ? no() : Nodes{};
  if (!chosen.shape().empty()) {
    fail(at, fmt::format("a branch on a mask of shape {}; it takes one condition (select works element by element)",
                         to_string(chosen.shape())));
  }
  Nodes first;
  mosaic::ValueId condition = t.use(chosen.node(), at);
  auto then = t.region(
      {},
      [&](const Ids&) {
        first = yes();
        t.emit("scf.yield", t.use(first, at), {}, at);
      },
      at);
  auto otherwise = t.region(
      {},
      [&](const Ids&) {
        Nodes second = no ? no() : Nodes{};
        check_same(first, second, "cond", at);
        t.emit("scf.yield", t.use(second, at), {}, at);
      },
      at);
  Ids results =
      t.emit("scf.if", {condition}, {}, types_of(first), regions_of(std::move(then), std::move(otherwise)), at);
  return nodes_like(t, first, results);
}

}  // namespace dsl

namespace {

const Index& entry(const std::vector<Index>& entries, int axis, const char* what, const Site& at) {
  if (axis >= 0 && axis < static_cast<int>(entries.size())) return entries[static_cast<std::size_t>(axis)];
  if (entries.empty()) dsl::fail(at, fmt::format("{}({}): this kernel has no grid", what, axis));
  dsl::fail(at, fmt::format("{}({}): the grid has axes 0 to {}", what, axis, entries.size() - 1));
}

}  // namespace

Index program_id(int axis, Site at) {
  return entry(dsl::Tracer::current(at, "program_id").programs.ids, axis, "program_id", at);
}

Index num_programs(int axis, Site at) {
  return entry(dsl::Tracer::current(at, "num_programs").programs.sizes, axis, "num_programs", at);
}

}  // namespace millrace
