// SPDX-License-Identifier: Apache-2.0
// Kernels on two SMEM arrays of 64 numbers each, lowered: %x to read, %o to write.
#pragma once

#include <algorithm>
#include <string>

#include "program/lower.h"
#include "runs.h"

namespace millrace::test {

inline const std::string kNumbers = "memref<64xi32, #tpu.memory_space<smem>>";

inline mosaic::Module numbers_module(const std::string& body) {
  return module_of(kernel_text("%x: " + kNumbers + ", %o: " + kNumbers, body));
}
inline const std::vector<program::OperandSpec> kNumbersSpec = {{i32, {64}}};

inline program::Program lowered(const std::string& body) {
  return program::lower(numbers_module(body), kNumbersSpec, kNumbersSpec);
}

inline Array ran(const std::string& body, const Array& x = counted(i32, {64})) {
  return run(numbers_module(body), {x}, kNumbersSpec).out();
}

inline std::size_t count(const program::Program& program, program::Op op) {
  return static_cast<std::size_t>(
      std::count_if(program.code.begin(), program.code.end(), [op](const auto& i) { return i.op == op; }));
}

// %name = x[at] and o[at] = %value, at a place known before the run.
inline std::string load(const std::string& name, int at) {
  return name + "_at = arith.constant " + std::to_string(at) + " : index\n" + name + " = memref.load %x[" + name +
         "_at] : " + kNumbers + "\n";
}
inline std::string store(const std::string& value, int at) {
  const std::string place = value + "_to" + std::to_string(at);
  return place + " = arith.constant " + std::to_string(at) + " : index\n" + "memref.store " + value + ", %o[" + place +
         "] : " + kNumbers + "\n";
}
inline std::string constant(const std::string& name, std::int64_t value, const std::string& type = "i32") {
  return name + " = arith.constant " + std::to_string(value) + " : " + type + "\n";
}

}  // namespace millrace::test
