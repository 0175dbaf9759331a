// SPDX-License-Identifier: Apache-2.0
// Branches, loops and scopes inside a kernel. Plain C++ `if` and `for` also work: they run while tracing, so a plain
// loop leaves its body behind once per turn.
//
//   when(i + 1 < n, [&] { load(i + 1).start(); });
//   for_range(0, n, [&](Index i) { ... });
//   auto [total, count] = for_range(0, n, carry(total0, 0), [&](Index i, Value total, Index count) {
//     return carry(total + x.rows(8 * i, 8).load(), count + 1);
//   });
//
// A value made inside a body ends with it. What must outlive the body goes through carry, or through memory.
#pragma once

#include <functional>
#include <string_view>

#include "millrace/signature.h"

namespace millrace {

namespace dsl {
using Nodes = std::vector<Node>;
MILLRACE_API Nodes for_nodes(const Index& lo, const Index& hi, const Nodes& first,
                             const std::function<Nodes(Index, const Nodes&)>& body, const Site& at);
MILLRACE_API Nodes while_nodes(const Nodes& first, const std::function<Bool(const Nodes&)>& test,
                               const std::function<Nodes(const Nodes&)>& body, const Site& at);
MILLRACE_API Nodes if_nodes(const Bool& chosen, const std::function<Nodes()>& yes, const std::function<Nodes()>& no,
                            const Site& at);

template <class T>
inline constexpr bool kIsValue = std::is_same_v<T, Value> || std::is_same_v<T, Index> || std::is_same_v<T, Bool>;

template <class T>
auto as_carried(const T& v) {
  if constexpr (Integer<T>) {
    return Index(v);
  } else {
    static_assert(kIsValue<T>, "what is carried is a Value, an Index or a Bool");
    return v;
  }
}

template <class... T>
Nodes to_nodes(const std::tuple<T...>& carried) {
  return std::apply([](const auto&... v) { return Nodes{v.node()...}; }, carried);
}
template <class... T>
std::tuple<T...> from_nodes(const Nodes& nodes, std::tuple<T...>*) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple<T...>{T(nodes[I])...}; }
  (std::index_sequence_for<T...>{});
}
}  // namespace dsl

// What a loop hands from turn to turn, in the order of the body's parameters.
template <class... T>
auto carry(const T&... v) {
  return std::make_tuple(dsl::as_carried(v)...);
}

// Runs `then` where the condition holds, else `otherwise`. A C++ bool, or a condition known while tracing, leaves
// only the side that is taken.
template <std::invocable F>
void when(const Bool& chosen, F then, Site at = Site::current()) {
  dsl::if_nodes(
      chosen,
      [&] {
        then();
        return dsl::Nodes{};
      },
      {}, at);
}
template <std::invocable F, std::invocable G>
void when(const Bool& chosen, F then, G otherwise, Site at = Site::current()) {
  dsl::if_nodes(
      chosen,
      [&] {
        then();
        return dsl::Nodes{};
      },
      [&] {
        otherwise();
        return dsl::Nodes{};
      },
      at);
}
template <std::same_as<bool> B, std::invocable F>
void when(B chosen, F then) {
  if (chosen) then();
}
template <std::same_as<bool> B, std::invocable F, std::invocable G>
void when(B chosen, F then, G otherwise) {
  if (chosen) {
    then();
  } else {
    otherwise();
  }
}

// Both sides return carry(...) of the same types; gives the chosen side's.
template <std::invocable F, std::invocable G>
auto cond(const Bool& chosen, F then, G otherwise, Site at = Site::current()) {
  using Carried = std::invoke_result_t<F>;
  static_assert(std::is_same_v<Carried, std::invoke_result_t<G>>, "both sides return carry(...) of the same types");
  auto nodes = dsl::if_nodes(
      chosen, [&] { return dsl::to_nodes(then()); }, [&] { return dsl::to_nodes(otherwise()); }, at);
  return dsl::from_nodes(nodes, static_cast<Carried*>(nullptr));
}

// body(i) for i = lo, lo + 1, ..., hi - 1.
template <std::invocable<Index> F>
void for_range(const Index& lo, const Index& hi, F body, Site at = Site::current()) {
  dsl::for_nodes(
      lo, hi, {},
      [&](Index i, const dsl::Nodes&) {
        body(i);
        return dsl::Nodes{};
      },
      at);
}
template <class... T, class F>
std::tuple<T...> for_range(const Index& lo, const Index& hi, std::tuple<T...> first, F body,
                           Site at = Site::current()) {
  using Carried = std::tuple<T...>;
  static_assert(std::is_same_v<Carried, std::invoke_result_t<F, Index, T...>>,
                "the body returns carry(...) of the types that it was given");
  auto turn = [&](Index i, const dsl::Nodes& now) {
    return dsl::to_nodes(std::apply([&](const auto&... v) { return body(i, v...); },
                                    dsl::from_nodes(now, static_cast<Carried*>(nullptr))));
  };
  return dsl::from_nodes(dsl::for_nodes(lo, hi, dsl::to_nodes(first), turn, at), static_cast<Carried*>(nullptr));
}

// While test(v...) holds: v... = body(v...).
template <class... T, class Test, class F>
std::tuple<T...> while_loop(std::tuple<T...> first, Test test, F body, Site at = Site::current()) {
  using Carried = std::tuple<T...>;
  static_assert(std::is_same_v<Bool, std::invoke_result_t<Test, T...>>, "the test of a while_loop returns a Bool");
  static_assert(std::is_same_v<Carried, std::invoke_result_t<F, T...>>,
                "the body returns carry(...) of the types that it was given");
  auto* type = static_cast<Carried*>(nullptr);
  auto nodes = dsl::while_nodes(
      dsl::to_nodes(first), [&](const dsl::Nodes& now) { return std::apply(test, dsl::from_nodes(now, type)); },
      [&](const dsl::Nodes& now) { return dsl::to_nodes(std::apply(body, dsl::from_nodes(now, type))); }, at);
  return dsl::from_nodes(nodes, type);
}

// The place of this step in the grid, and the grid's size, along one axis.
MILLRACE_API Index program_id(int axis, Site at = Site::current());
MILLRACE_API Index num_programs(int axis, Site at = Site::current());

}  // namespace millrace
