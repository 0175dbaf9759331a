// SPDX-License-Identifier: Apache-2.0
// What the tests share that need the real TPU compiler (`make test-tpu` says where it is).
#pragma once

#include <atomic>
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <string>
#include <vector>

#include "dsl/trace.h"
#include "front/compile_kernel.h"
#include "millrace/language.h"
#include "mosaic/io.h"
#include "target/tpu/compile.h"

namespace millrace::test {

inline std::string setting(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value) throw std::runtime_error(std::string(name) + " is not set; `make test-tpu` sets it");
  return value;
}

inline target::Library library() { return target::find_libtpu(setting("MILLRACE_LIBTPU")); }
inline target::Worker worker() { return {MILLRACE_BINARY, 300}; }

inline mosaic::Element element_of(const mosaic::Module& module, std::size_t operand) {
  const mosaic::Function& kernel = *module.kernel();
  const auto* bounds = mosaic::as_integers(kernel.find("iteration_bounds"));
  return kernel.values.at(kernel.body.arguments.at(operand + (bounds ? bounds->size() : 0))).element;
}

// A kernel of the language as the compiler takes it.
inline target::KernelCall call_of(const Kernel& kernel, const std::vector<dsl::Operand>& inputs) {
  const dsl::Traced traced = dsl::trace(kernel, inputs);
  target::KernelCall call{kernel.name(), mosaic::write_module(*traced.module), {}, {}};
  for (const dsl::Operand& o : traced.inputs)
    call.operands.push_back({element_of(*traced.module, call.operands.size()), o.shape});
  for (const dsl::Operand& o : traced.outputs)
    call.results.push_back({element_of(*traced.module, call.operands.size() + call.results.size()), o.shape});
  for (const Alias& a : traced.aliases)
    call.aliases.push_back({static_cast<std::size_t>(a.input), static_cast<std::size_t>(a.output)});
  return call;
}

inline target::Compiled compiled(const target::KernelCall& call, const std::string& chip) {
  return target::compile({library(), chip, call, worker()});
}

// f(0) ... f(n - 1), two at a time; what came out, in order.
template <class F>
auto two_at_a_time(std::size_t n, F f) {
  std::vector<decltype(f(std::size_t{0}))> results(n);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < n; i = next++) results[i] = f(i);
  };
  auto other = std::async(std::launch::async, work);
  work();
  other.get();
  return results;
}

}  // namespace millrace::test
