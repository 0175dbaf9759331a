// SPDX-License-Identifier: Apache-2.0
// What is measured computes the right thing, and what does not is seen: kernels in the simulator, plain loops, library.
#include "bench/cpu_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace millrace::bench {
namespace {

Array by(const CpuRow& row, const decltype(row.plain)& compute, int threads) {
  target::Together together(threads);
  Array out = Array::full(row.like.dtype(), row.like.shape(), -77);
  compute(row.inputs, out, together);
  return out;
}

class CpuRows : public ::testing::TestWithParam<std::string> {
 protected:
  CpuRow row_ = cpu_row(GetParam(), Sizes::kSmall);
};

TEST_P(CpuRows, TheKernelComputesWhatTheOracleSays) {
  const Judged judged = judge(row_, run(row_.kernel, row_.inputs));
  EXPECT_TRUE(judged.passed) << judged.max_abs_error;
}

TEST_P(CpuRows, ThePlainLoopsDoOnAnyNumberOfThreads) {
  for (int threads : {1, 2, 5}) {
    const Judged judged = judge(row_, by(row_, row_.plain, threads));
    EXPECT_TRUE(judged.passed) << threads << ": " << judged.max_abs_error;
  }
}

TEST_P(CpuRows, TheLibraryDoesWhereItTakesPart) {
  EXPECT_EQ(row_.library != nullptr, GetParam().find("matmul") != std::string::npos);
  if (!row_.library) return;
  EXPECT_TRUE(judge(row_, by(row_, row_.library, 2)).passed);
}

TEST_P(CpuRows, OneWrongElementInARowThatIsCheckedIsSeen) {
  Array out = run(row_.kernel, row_.inputs);
  const std::int64_t last = out.size() - 1;
  for (const double wrong : {out.flat(last) + 0.25, double(NAN)}) {
    const double bits = Array::full(out.dtype(), {1}, wrong).flat(0);
    Array spoilt = out;
    if (out.dtype() == DType::f32)
      spoilt.as<float>()[static_cast<std::size_t>(last)] = static_cast<float>(bits);
    else
      spoilt.as<std::uint16_t>()[static_cast<std::size_t>(last)] = Array::full(bf16, {1}, wrong).as<std::uint16_t>()[0];
    EXPECT_FALSE(judge(row_, spoilt).passed) << wrong;
    EXPECT_GT(judge(row_, spoilt).max_abs_error, 0.2);
  }
}

TEST_P(CpuRows, AnotherShapeOrDtypeIsWrong) {
  const Array out = run(row_.kernel, row_.inputs);
  EXPECT_FALSE(judge(row_, out.reshaped({out.size()})).passed);
  EXPECT_FALSE(judge(row_, out.cast(f16)).passed);
}

INSTANTIATE_TEST_SUITE_P(All, CpuRows, ::testing::ValuesIn(cpu_row_names()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(CpuRow, OfANameThatThereIsNotIsAUserError) { EXPECT_THROW(cpu_row("cpu-axpi", Sizes::kSmall), Error); }

// A last bit is within no bound of an elementwise kernel.
TEST(CpuRow, ElementwiseMeansBitForBit) {
  const CpuRow row = cpu_row("cpu-axpy-f32", Sizes::kSmall);
  Array out = run(row.kernel, row.inputs);
  EXPECT_EQ(judge(row, out).max_abs_error, 0);
  float& v = out.as<float>()[5];
  v = std::nextafter(v, 10.0f);
  EXPECT_FALSE(judge(row, out).passed);
}

}  // namespace
}  // namespace millrace::bench
