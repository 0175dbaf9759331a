// SPDX-License-Identifier: Apache-2.0
// Kernels that load one tile, work on it and store one: %v to %r.
#pragma once

#include <string>

#include "runs.h"

namespace millrace::test {

inline std::string vmem_type(const std::string& type) { return "memref<" + type + ", #tpu.memory_space<vmem>>"; }

// `from` and `to` are shapes with their element, "8x128xf32".
inline mosaic::Module tile_module(const std::string& from, const std::string& to, const std::string& body) {
  return module_of(kernel_text("%x: " + vmem_type(from) + ", %o: " + vmem_type(to),
                               "%c0 = arith.constant 0 : index\n%v = vector.load %x[%c0, %c0] : " + vmem_type(from) +
                                   ", vector<" + from + ">\n" + body +
                                   "\nvector.store %r, %o[%c0, %c0] : " + vmem_type(to) + ", vector<" + to + ">\n"));
}

inline Array run_tile(const Array& x, const std::string& from, const std::string& to, const program::OperandSpec& out,
                      const std::string& body) {
  return run(tile_module(from, to, body), {x}, {out}).out();
}

inline std::string tile_error(const Array& x, const std::string& from, const std::string& to,
                              const program::OperandSpec& out, const std::string& body) {
  return error_of([&] { run_tile(x, from, to, out, body); });
}

// Numbers without a pattern: all 32 bits of each differ from its neighbours'.
inline Array scrambled(const Shape& shape) {
  Array a(i32, shape);
  std::uint32_t state = 1;
  for (std::int32_t& v : a.as<std::int32_t>()) {
    state = state * 1664525u + 1013904223u;
    v = static_cast<std::int32_t>(state ^ (state >> 15));
  }
  return a;
}

}  // namespace millrace::test
