// SPDX-License-Identifier: Apache-2.0
// Modules to read in tests: those of data/, and small ones made of a few lines.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "millrace/error.h"
#include "mosaic/io.h"

namespace millrace::mosaic {

inline const std::vector<std::string> kSamples{"add_2d",          "axpy_sync",        "element_window",
                                               "matmul",          "prefetch_gather",  "remote_copy",
                                               "semaphore_array", "stochastic_round", "while_vector"};

inline std::string sample_file(const std::string& name) {
  std::ifstream file(std::string(MILLRACE_SOURCE_DIR) + "/tests/mosaic/data/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A kernel with one reference of each kind, a few values, and `body`, which begins on line kBodyLine.
inline constexpr int kBodyLine = 19;
inline std::string kernel_text(const std::string& body) {
  return R"(module @sample {
  func.func @main(%v: memref<16x128xf32, #tpu.memory_space<vmem>>,
      %h: memref<32x128xf32, #tpu.memory_space<any>>,
      %b: memref<16x128xbf16, #tpu.memory_space<vmem>>,
      %unit: memref<1x16x1x128xf32, #tpu.memory_space<vmem>>,
      %w: memref<?x128xf32, #tpu.memory_space<any>>,
      %dma: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>,
      %count: memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>,
      %many: memref<4x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>)
      attributes {dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 3 : i64} {
    %i = arith.constant 1 : i32
    %c = arith.constant 0 : index
    %x = arith.constant dense<1.0> : vector<16x128xf32>
    %y = arith.constant dense<2.0> : vector<128x32xf32>
    %z = arith.constant dense<0.0> : vector<16x32xf32>
    %n = arith.constant dense<3> : vector<16x128xi32>
    %m = arith.constant dense<true> : vector<16x128xi1>
    %q = arith.constant dense<1.0> : vector<16x128xbf16>
)" + body +
         R"(
    return
  }
}
)";
}

// The kernel is taken with `good`, and with `bad` refused at the last line of `bad` for a reason that holds `why`.
struct Twin {
  const char* rule;
  std::string good, bad;
  std::string why;
};

inline void expect_refused(const std::string& text, const std::string& why, int line,
                           ErrorCode code = ErrorCode::kUser) {
  try {
    read_module(text, "sample.mlir");
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    EXPECT_EQ(error.place().file, "sample.mlir") << error.what();
    EXPECT_EQ(error.place().line, line) << error.what();
    EXPECT_GT(error.place().column, 0) << error.what();
  }
}

inline void check_twin(const Twin& twin) {
  SCOPED_TRACE(twin.rule);
  EXPECT_NO_THROW(read_module(kernel_text(twin.good), "sample.mlir"));
  const auto lines = static_cast<int>(std::count(twin.bad.begin(), twin.bad.end(), '\n'));
  expect_refused(kernel_text(twin.bad), twin.why, kBodyLine + lines);
}

}  // namespace millrace::mosaic
