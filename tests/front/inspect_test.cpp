// SPDX-License-Identifier: Apache-2.0
#include "front/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "front/convert.h"
#include "front/files.h"
#include "front/limits.h"

namespace millrace::front {
namespace {

using test::data;
using test::error_of;
using ::testing::HasSubstr;

Inspection inspected(const std::string& name, std::size_t outputs = 1) {
  return inspect(read_kernel_file(data("cases/kernels_small/" + name + "/kernel.mlirbc")), outputs);
}

TEST(Inspect, TellsWindowsGridAndVersion) {
  const Inspection i = inspected("alias_in_place");
  EXPECT_EQ(i.form, "bytecode");
  EXPECT_EQ(i.serde_version, 9);
  EXPECT_EQ(i.grid.size(), 1u);
  ASSERT_EQ(i.operands.size(), 2u);
  EXPECT_EQ(i.operands[0].name, "in0");
  EXPECT_EQ(i.operands[1].name, "out0");
  EXPECT_TRUE(i.operands[0].windowed);
  EXPECT_EQ(i.operands[0].slots, 2);
  EXPECT_TRUE(i.dmas.empty());
}

TEST(Inspect, TellsScopesSemaphoresAndDmasWithTheirPlaces) {
  const Inspection i = inspected("scratch_to_body");
  EXPECT_FALSE(i.dmas.empty());
  EXPECT_THAT(i.dmas[0].place, HasSubstr("ep_"));
  EXPECT_EQ(i.semaphores[0].name, "scopedsem0");
  EXPECT_GT(i.memories[0].bytes, 0);
  EXPECT_TRUE(i.unsupported.empty());
  EXPECT_GT(i.operations.at("tpu.enqueue_dma"), 0);
}

TEST(Inspect, SaysTheSameAsTextAndAsJson) {
  const Inspection i = inspected("several_outputs", 2);
  const auto json = to_json(i);
  const std::string text = to_text(i);
  EXPECT_EQ(json["serde_version"], 9);
  EXPECT_THAT(text, HasSubstr("serde version 9"));
  for (const auto& operand : json["operands"]) {
    EXPECT_THAT(text, HasSubstr(operand["name"].get<std::string>()));
    EXPECT_THAT(text, HasSubstr(operand["type"].get<std::string>()));
  }
}

TEST(Inspect, CountsEveryOperationOfEveryFunction) {
  const Inspection i = inspected("loop_over_grid_ids");
  std::int64_t sum = 0;
  for (const auto& [name, count] : i.operations) sum += count;
  EXPECT_EQ(static_cast<std::size_t>(sum), i.kernel_operations);
}

TEST(Limits, ThePageIsWhatTheCodeSays) {
  EXPECT_EQ(test::text_of(std::filesystem::path(MILLRACE_SOURCE_DIR) / "docs/limits.md"), limits_page())
      << "write it anew: millrace inspect --limits > docs/limits.md";
}

TEST(Convert, WritesWhatReadsBackTheSame) {
  const test::Folder folder;
  const auto source = data("cases/kernels_small/edge_2d/kernel.mlirbc");
  const Kernel original = read_kernel_file(source);
  for (const char* form : {"text", "bytecode"}) {
    for (const char* names : {"plain", "stable"}) {
      convert(source, folder / "out", "", form, names, 9);
      const Kernel again = read_kernel_file(folder / "out");
      EXPECT_TRUE(mosaic::same(original.module, again.module, false)) << form << " " << names;
      EXPECT_EQ(again.origin.names == mosaic::Names::kStable, std::string(names) == "stable");
      EXPECT_EQ(again.origin.form == mosaic::Form::kText, std::string(form) == "text");
    }
  }
}

TEST(Convert, TakesAKernelOutOfAStableHloText) {
  const test::Folder folder;
  convert(data("data/stablehlo/two.mlir"), folder / "out", "scale", "text", "plain", 9);
  EXPECT_THAT(test::text_of(folder / "out"), HasSubstr("\"arith.mulf\""));
}

TEST(Convert, RefusesWordsAndVersionsAndLeavesNothing) {
  const test::Folder folder;
  const auto source = data("cases/kernels_small/edge_2d/kernel.mlirbc");
  const auto refused = [&](const char* form, const char* names, int version) {
    return error_of([&] { convert(source, folder / "out", "", form, names, version); });
  };
  EXPECT_EQ(refused("xml", "plain", 9), "user: --form `xml` is neither text nor bytecode");
  EXPECT_EQ(refused("text", "short", 9), "user: --names `short` is neither plain nor stable");
  EXPECT_THAT(refused("text", "stable", 3), HasSubstr("unsupported: serde version 3 is not written"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace millrace::front
