// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/calibrated_receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/error.h"

namespace millrace::target {
namespace {

TEST(CalibratedReceipt, TheMixIsTheKernels) {
  const auto is = [](const Mix& m, int reads, bool written, std::size_t bytes) {
    EXPECT_EQ(m.reads, reads);
    EXPECT_EQ(m.written, written);
    EXPECT_EQ(m.bytes, bytes);
  };
  is(mix_of(200, 100), 2, true, 100);
  is(mix_of(100, 100), 1, true, 100);
  is(mix_of(10, 100), 1, true, 55);
  is(mix_of(10'000, 4), 4, true, 2000);
  is(mix_of(0, 100), 0, true, 100);
  is(mix_of(100, 0), 1, false, 100);
}

struct Doubled {
  std::vector<Array> in{Array::full(f32, {64, 64}, 3)}, out{Array(f32, {64, 64})};
  int runs = 0;
  CpuRun facts(bool passed) {
    const auto run = [this] {
      ++runs;
      for (std::size_t i = 0; i < 64 * 64; ++i) out[0].as<float>()[i] = 2 * in[0].as<float>()[i];
    };
    return {"doubled",
            run,
            in,
            out,
            "a CPU",
            "module",
            "0.1",
            "22.1",
            0.5,
            2,
            {"in is a view"},
            {"plain loops", 0, 0, 0, passed},
            {{"module", "m.mlir"}}};
  }
};

TEST(CalibratedReceipt, MeasuresKernelAndCalibrationInTurn) {
  Doubled doubled;
  const auto json = measured_receipt(doubled.facts(true), 6);
  EXPECT_GE(doubled.runs, 12);
  EXPECT_EQ(json["platform"]["name"], "cpu");
  EXPECT_EQ(json["versions"]["llvm"], "22.1");
  EXPECT_EQ(json["configuration"]["threads"], 2);
  EXPECT_EQ(json["configuration"]["movement"][0], "in is a view");
  EXPECT_EQ(json["configuration"]["module"], "m.mlir");
  const auto& m = json["measurement"];
  EXPECT_EQ(m["compile_seconds"], 0.5);
  EXPECT_EQ(m["samples"], 6);
  EXPECT_GT(m["calibration"]["share"], 0);
  EXPECT_THAT(m["calibration"]["what"].get<std::string>(),
              ::testing::StartsWith("1 read, 1 written, 16384 bytes each"));
}

TEST(CalibratedReceipt, OfAWrongResultThereIsNone) {
  Doubled doubled;
  EXPECT_THROW(measured_receipt(doubled.facts(false), 6), Error);
}

}  // namespace
}  // namespace millrace::target
