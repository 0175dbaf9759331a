// SPDX-License-Identifier: Apache-2.0
// Memory and semaphores that live while a function runs.
//
//   scoped(vmem(f32, {2, 8, 256}), dma_semaphores(2), [&](Ref buf, Semaphores arrived) { ... });
#pragma once

#include "millrace/signature.h"

namespace millrace {

using ScratchSpec = std::variant<MemorySpec, SemaphoreSpec, SemaphoresSpec>;

namespace dsl {
template <class T>
concept Scratch = std::same_as<T, MemorySpec> || std::same_as<T, SemaphoreSpec> || std::same_as<T, SemaphoresSpec>;
template <Scratch T>
using HandleOf = std::conditional_t<std::same_as<T, MemorySpec>, Ref,
                                    std::conditional_t<std::same_as<T, SemaphoreSpec>, Semaphore, Semaphores>>;

MILLRACE_API void scoped_operands(const std::vector<ScratchSpec>& specs, const Body& body, const Site& at);

template <Scratch... S, class F>
void scoped_as(const std::vector<ScratchSpec>& specs, F body, const Site& at) {
  static_assert(std::same_as<ArgumentsOf<F>, std::tuple<HandleOf<S>...>>,
                "the body takes one parameter for each thing asked for: Ref for memory, Semaphore for one semaphore, "
                "Semaphores for an array of them");
  scoped_operands(specs, make_body(std::move(body)), at);
}
}  // namespace dsl

// Allocates what is asked for, in this order, runs the body with it, and frees it. Contents are undefined at first;
// semaphores start at zero and must end at zero.
template <dsl::Scratch A, class F>
void scoped(A a, F body, Site at = Site::current()) {
  dsl::scoped_as<A>({a}, body, at);
}
template <dsl::Scratch A, dsl::Scratch B, class F>
void scoped(A a, B b, F body, Site at = Site::current()) {
  dsl::scoped_as<A, B>({a, b}, body, at);
}
template <dsl::Scratch A, dsl::Scratch B, dsl::Scratch C, class F>
void scoped(A a, B b, C c, F body, Site at = Site::current()) {
  dsl::scoped_as<A, B, C>({a, b, c}, body, at);
}
template <dsl::Scratch A, dsl::Scratch B, dsl::Scratch C, dsl::Scratch D, class F>
void scoped(A a, B b, C c, D d, F body, Site at = Site::current()) {
  dsl::scoped_as<A, B, C, D>({a, b, c, d}, body, at);
}
// Any number of them; the kinds of the parameters are compared while tracing.
template <class F>
void scoped(const std::vector<ScratchSpec>& specs, F body, Site at = Site::current()) {
  dsl::scoped_operands(specs, dsl::make_body(body), at);
}

}  // namespace millrace
