// SPDX-License-Identifier: Apache-2.0
#include "target/receipt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/error.h"
#include "target/tpu/receipt.h"

namespace millrace::target {
namespace {

ReceiptFacts good() {
  ReceiptFacts f;
  f.device = "a CPU", f.platform = "cpu", f.versions = {{"millrace", "1"}};
  f.implementation = "abc", f.boundary = "nothing else";
  f.configuration = {{"threads", 2}};
  f.correctness = {"plain loops", 0.5, 1, 2, true};
  f.timing = {"axpy", 0.1, 5, {3, 1, 2, 5, 4}};
  f.baselines = {{"loops", 0, 6, {7, 7, 7, 7, 7}}};
  return f;
}

TEST(Receipt, HoldsWhatWasMeasuredAndItsNoise) {
  const auto json = receipt(good());
  EXPECT_EQ(json["execution"], "measured");
  EXPECT_EQ(json["device"], "a CPU");
  EXPECT_EQ(json["implementation_sha256"], "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(json["measurement"]["median_ms"], 3);
  EXPECT_EQ(json["measurement"]["p90_ms"], 5);
  EXPECT_THAT(json["measurement"]["noise"].get<std::string>(), ::testing::HasSubstr("p90 is 1.67 times the median"));
  EXPECT_TRUE(json["measurement"]["baselines"][0]["noise"].is_null());
  EXPECT_FALSE(json["measurement"].contains("calibration"));
}

TEST(Receipt, HoldsTheCalibration) {
  ReceiptFacts f = good();
  f.calibration = {"2 read, 1 written", "GB/s", 30, 0.9, {"calibration", 0, 5, {1, 1, 1, 1, 1}}};
  const auto json = receipt(f)["measurement"]["calibration"];
  EXPECT_EQ(json["share"], 0.9);
  EXPECT_EQ(json["timing"]["samples"], 5);
  f.calibration->timing.milliseconds.pop_back();
  EXPECT_THROW(receipt(f), Error);
}

TEST(Receipt, IsNotWrittenOfWhatWasWrongOrNowhereOrTooSeldom) {
  const auto refused = [](void (*spoil)(ReceiptFacts&)) {
    ReceiptFacts f = good();
    spoil(f);
    EXPECT_THROW(receipt(f), Error);
  };
  refused([](ReceiptFacts& f) { f.correctness.passed = false; });
  refused([](ReceiptFacts& f) { f.device.clear(); });
  refused([](ReceiptFacts& f) { f.timing.warm_ups = 4; });
  refused([](ReceiptFacts& f) { f.timing.milliseconds.pop_back(); });
  refused([](ReceiptFacts& f) { f.baselines[0].milliseconds.clear(); });
}

TEST(Receipt, OfATpuNamesItsDriver) {
  Measured measured;
  measured.device_kind = "TPU v5 lite", measured.platform = "tpu", measured.platform_version = "7";
  measured.api_minor = 81;
  const ReceiptFacts f = facts_of(measured, {"libtpu.so", ""}, "0.1");
  EXPECT_EQ(f.device, "TPU v5 lite");
  EXPECT_EQ(f.versions["pjrt"], "0.81");
  EXPECT_TRUE(f.versions["libtpu"].is_null());
  EXPECT_FALSE(f.correctness.passed);  // the caller's to say
}

}  // namespace
}  // namespace millrace::target
