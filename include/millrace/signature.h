// SPDX-License-Identifier: Apache-2.0
// The parameters of a function that a user hands over: a function, or a lambda with named parameter types.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "millrace/ref.h"

namespace millrace::dsl {

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Result = R;
  using Arguments = std::tuple<std::decay_t<A>...>;
};
template <class R, class... A>
struct Signature<R(A...)> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};
template <class C, class R, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};

template <class F>
using ArgumentsOf = typename Signature<std::remove_pointer_t<std::decay_t<F>>>::Arguments;
template <class F>
using ResultOf = typename Signature<std::remove_pointer_t<std::decay_t<F>>>::Result;

using Handle = std::variant<Ref, Semaphore, Semaphores>;

template <class T>
inline constexpr bool kIsHandle =
    std::is_same_v<T, Ref> || std::is_same_v<T, Semaphore> || std::is_same_v<T, Semaphores>;

// A kernel body with its parameters' kinds: the index of each in Handle.
struct Body {
  std::vector<std::size_t> parameters;
  std::function<void(const std::vector<Handle>&)> call;  // Operands of exactly these kinds
};

template <class F, class... A>
Body make_body_of(F body, std::tuple<A...>*) {
  static_assert((kIsHandle<A> && ...), "a kernel body takes Ref, Semaphore and Semaphores");
  static_assert(std::is_void_v<ResultOf<F>>, "a kernel body returns nothing: it writes through its Refs");
  Body made{{Handle(std::in_place_type<A>, nullptr).index()...}, {}};
  made.call = [body](const std::vector<Handle>& operands) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { std::invoke(body, std::get<A>(operands[I])...); }
    (std::index_sequence_for<A...>{});
  };
  return made;
}

template <class F>
Body make_body(F body) {
  return make_body_of(std::move(body), static_cast<ArgumentsOf<F>*>(nullptr));
}

}  // namespace millrace::dsl
