// SPDX-License-Identifier: Apache-2.0
// What `millrace bench cpu` measures: kernels in Millrace's language, their inputs, the same in plain C++, and an
// oracle in double. cpu_peer.py has the same by the same names, in numpy and JAX.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "millrace/millrace.h"
#include "target/together.h"

namespace millrace::bench {

struct CpuRow {
  std::string name;   // "cpu-axpy-f32"
  std::string words;  // "2x + y, f32 (8192, 2048)"
  Kernel kernel;
  std::vector<Array> inputs;
  Array like;  // the output: its dtype and shape, rows and columns
  // What bounds it: multiply-adds where flops are given, and else passing once over the inputs named and the output.
  double flops = 0;
  std::vector<std::size_t> streamed = {};
  std::function<void(const std::vector<Array>& inputs, Array& out, target::Together& threads)> plain = {};
  // The same through the library of target/cpu/matmul.h alone; none: it has no part in this row.
  std::function<void(const std::vector<Array>& inputs, Array& out, target::Together& threads)> library = {};
  std::function<void(std::int64_t row, std::span<double> out)> oracle = {};  // one row of the output, exactly or nearly
  std::int64_t oracle_rows = 0;  // so many rows are checked, first and last among them; 0: all
  double rtol = 0, atol = 0;     // 0, 0: the oracle's value, rounded once to the output's dtype
};

// Small ones compute the same on sizes that a test can afford, and odd ones where the kernel takes them.
enum class Sizes { kFull, kSmall };
std::vector<std::string> cpu_row_names();
CpuRow cpu_row(const std::string& name, Sizes sizes);  // Error(kUser) for a name that there is not

struct Judged {
  double max_abs_error = 0;  // of the elements checked; infinity where one is NaN
  bool passed = false;       // of the right shape, and each within atol + rtol |oracle|
};
Judged judge(const CpuRow& row, const Array& out);

}  // namespace millrace::bench
