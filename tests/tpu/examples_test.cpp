// SPDX-License-Identifier: Apache-2.0
// The examples as the TPU compiler takes them. They are built once more for this, with `run` and `main` called by other
// names (CMakeLists.txt, run_and_note.h): what they run is compiled as well.
#include <gtest/gtest.h>

#include <vector>

#include "millrace/run.h"
#include "on_libtpu.h"

int example_axpy();
int example_batched_matmul();
int example_gather();
int example_grouped_matmul();
int example_matmul();
int example_scale_by_hand();
int example_scatter_in_place();
int example_softmax();

namespace millrace {
namespace {

std::vector<target::KernelCall>& noted() {
  static std::vector<target::KernelCall> calls;
  return calls;
}

}  // namespace

// What the examples call in place of `run`.
Results run_and_note(const Kernel& kernel, const std::vector<Array>& inputs, const RunOptions& options) {
  std::vector<dsl::Operand> operands;
  for (const Array& a : inputs) operands.push_back({a.dtype(), a.shape()});
  noted().push_back(test::call_of(kernel, operands));
  return run(kernel, inputs, options);
}

}  // namespace millrace

namespace millrace::test {
namespace {

TEST(Examples, Compile) {
  for (int (*example)() : {example_axpy, example_batched_matmul, example_gather, example_grouped_matmul, example_matmul,
                           example_scale_by_hand, example_scatter_in_place, example_softmax})
    EXPECT_EQ(example(), 0);
  const std::vector<target::KernelCall>& calls = noted();
  ASSERT_GE(calls.size(), 8u);
  const auto results = two_at_a_time(calls.size(), [&](std::size_t i) { return compiled(calls[i], "v5e"); });
  for (std::size_t i = 0; i < calls.size(); ++i)
    EXPECT_EQ(results[i].verdict, target::Verdict::kAccepted)
        << calls[i].kernel_name << ": " << results[i].diagnosis.reason;
}

}  // namespace
}  // namespace millrace::test
