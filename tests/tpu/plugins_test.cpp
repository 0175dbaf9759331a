// SPDX-License-Identifier: Apache-2.0
// The path of a real run on real PJRT plugins for CPUs, of an older and a newer interface than libtpu's: client,
// copies, compiling, executions, events, errors and receipts. Only the kernel's own custom call needs a TPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "lab/on_tpu.h"
#include "lab/oracle.h"
#include "millrace/error.h"
#include "on_libtpu.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

std::vector<std::string> plugins() {
  std::vector<std::string> all;
  std::istringstream list(setting("MILLRACE_CPU_PLUGINS"));
  for (std::string one; std::getline(list, one, ':');) all.push_back(one);
  return all;
}

lab::DeviceSettings on(const std::string& plugin) { return {{plugin, ""}, worker(), "0.0", "cpu", false, 5, 7}; }

std::string failure(const std::function<void()>& action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Plugins, AreTwoOfDifferentAges) {
  std::vector<int> minors;
  for (const std::string& p : plugins()) minors.push_back(target::measure({{p, ""}, worker(), "cpu"}).api_minor);
  EXPECT_THAT(minors, testing::UnorderedElementsAre(81, 115));
}

TEST(Plugins, RunTheBaselineAndLeaveAReceiptThatNamesTheDevice) {
  for (const std::string& p : plugins()) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
      const lab::Pair pair = lab::random_pair(17, 257, dtype, 3);
      const lab::DeviceRun run = lab::run_on_device({}, pair, on(p));
      EXPECT_EQ(run.measured.platform, "cpu");
      EXPECT_TRUE(run.comparison.exact) << p << " " << name_of(dtype) << ": " << run.comparison.max_abs_error;
      EXPECT_EQ(run.output.shape(), (Shape{17, 257}));
      ASSERT_TRUE(run.receipt);
      const auto& r = *run.receipt;
      EXPECT_EQ(r["execution"], "measured");
      EXPECT_EQ(r["device"], run.measured.device_kind);
      EXPECT_EQ(r["platform"]["name"], "cpu");
      EXPECT_EQ(r["configuration"]["program"], "plain StableHLO");
      EXPECT_EQ(r["measurement"]["samples"], 7);
      EXPECT_GE(r["measurement"]["warm_ups"], 5);
      EXPECT_GT(r["measurement"]["median_ms"], 0);
      EXPECT_EQ(r["measurement"]["baselines"].size(), 1u);
    }
  }
}

// A platform is never taken for another.
TEST(Plugins, OfACpuAreNoTpu) {
  for (const std::string& p : plugins()) {
    lab::DeviceSettings settings = on(p);
    settings.platform = "tpu";
    const std::string why =
        failure([&] { lab::run_on_device({}, lab::lesson_pair(f32), settings); }, ErrorCode::kUnsupported);
    EXPECT_THAT(why, HasSubstr("no TPU here"));
    EXPECT_THAT(why, HasSubstr("runs programs on `cpu`"));
  }
}

TEST(Plugins, SayWhatIsWrongWithAProgram) {
  for (const std::string& p : plugins()) {
    target::MeasureRequest request{{p, ""}, worker(), "cpu", {{"broken", "module { this is none }", {{f32, {4}}}}}, {}};
    EXPECT_THAT(failure([&] { target::measure(request); }, ErrorCode::kFinding), HasSubstr("failed at: compile"));
    request.inputs = {Array(f32, {4}), Array(f32, {4})};
    const std::string add =
        "module @m { func.func public @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> "
        "{ %c = stablehlo.add %a, %b : tensor<4xf32>\n return %c : tensor<4xf32> } }";
    request.programs = {{"short", add, {{f32, {5}}}}};
    EXPECT_THAT(failure([&] { target::measure(request); }, ErrorCode::kFinding), HasSubstr("16 bytes came back, 20"));
    request.programs = {{"two", add, {{f32, {4}}, {f32, {4}}}}};
    EXPECT_THAT(failure([&] { target::measure(request); }, ErrorCode::kFinding), HasSubstr("gives 1 outputs, 2"));
  }
}

TEST(Plugins, CarryEveryElementTypeInAndOut) {
  for (const std::string& p : plugins()) {
    for (const auto& [dtype, element] : std::initializer_list<std::pair<DType, const char*>>{{DType::f32, "f32"},
                                                                                             {DType::bf16, "bf16"},
                                                                                             {DType::f16, "f16"},
                                                                                             {DType::i8, "i8"},
                                                                                             {DType::i16, "i16"},
                                                                                             {DType::i32, "i32"},
                                                                                             {DType::u8, "ui8"},
                                                                                             {DType::u16, "ui16"},
                                                                                             {DType::u32, "ui32"},
                                                                                             {DType::i1, "i1"}}) {
      const std::string tensor = std::string("tensor<3x5x") + element + ">";
      Array in(dtype, {3, 5});
      for (std::size_t i = 0; i < in.bytes(); ++i)
        in.data()[i] = static_cast<std::byte>(dtype == DType::i1 ? i % 2 : i);
      const target::Measured m = target::measure({{p, ""},
                                                  worker(),
                                                  "cpu",
                                                  {{"same",
                                                    "module @m { func.func public @main(%a: " + tensor + ") -> " +
                                                        tensor + " { return %a : " + tensor + " } }",
                                                    {{dtype, {3, 5}}}}},
                                                  {in}});
      EXPECT_TRUE(same_bits(m.outputs.at(0).at(0), in)) << p << " " << element;
    }
  }
}

TEST(Tpu, IsNotHere) {
  if (target::tpu_on_the_bus()) GTEST_SKIP() << "there is one";
  lab::DeviceSettings settings{library(), worker(), "0.0"};
  const std::string why =
      failure([&] { lab::run_on_device({}, lab::lesson_pair(f32), settings); }, ErrorCode::kUnsupported);
  EXPECT_THAT(why, HasSubstr("no TPU here (libtpu: \"TPU initialization failed: No jellyfish device found.\")"));
}

}  // namespace
}  // namespace millrace::test
