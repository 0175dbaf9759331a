// SPDX-License-Identifier: Apache-2.0
// The examples of `millrace explain` show what they are examples of, and their twins show nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "check/catalogue.h"
#include "faults.h"
#include "report/explain.h"
#include "runs.h"

namespace millrace::faults {
namespace {

// What check() reports today; the others may be silent, but may not say something else.
const std::set<std::string> kFound = {"race.read-write", "race.write-write", "deadlock",
                                      "bounds.dma",      "bounds.access",    "bounds.block"};

std::set<std::string> found(const Example& example, bool mended) {
  std::vector<Array> inputs;
  for (const Shape& shape : example.inputs) inputs.push_back(test::counted(f32, shape));
  std::set<std::string> ids;
  for (const Finding& f : check(example.kernel(mended), inputs).findings) ids.insert(f.id);
  return ids;
}

class Examples : public ::testing::TestWithParam<Example> {};

TEST_P(Examples, ShowTheirFaultAndNothingElse) {
  const Example& example = GetParam();
  const std::set<std::string> ids = found(example, false);
  EXPECT_FALSE(kFound.contains(example.id) && ids.empty());
  for (const std::string& id : ids) EXPECT_EQ(id, example.id);
}

TEST_P(Examples, TheTwinIsClean) { EXPECT_THAT(found(GetParam(), true), ::testing::IsEmpty()); }

TEST_P(Examples, AreWhatIsExplained) {
  const Example& example = GetParam();
  const std::string text = report::example_of(example.id);
  std::string name = example.id;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  EXPECT_THAT(text, ::testing::StartsWith("inline Kernel " + name + "(bool mended) {"));
  EXPECT_THAT(text, ::testing::EndsWith("\n}\n"));
  EXPECT_THAT(report::explain(example.id), ::testing::HasSubstr("    inline Kernel " + name));
}

INSTANTIATE_TEST_SUITE_P(Faults, Examples, ::testing::ValuesIn(examples()), [](const auto& info) {
  std::string name = info.param.id;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
});

// Faults that the kernel language cannot make: modules, with a number that breaks their promise and one that keeps it.
std::string module_text(const std::string& id) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/examples/faults/" + id + ".mlir");
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ExampleModules, ShowTheirFaultOnlyOnAWrongNumber) {
  for (const std::string id : {"assertion.failed", "target.assumption"}) {
    const mosaic::Module module = test::module_of(module_text(id));
    const auto told_by = [&](int n) -> std::string {
      const machine::Outcome outcome = test::run(module, {Array::full(i32, {1}, n)}, {{i32, {1}}}).outcome;
      if (outcome.fault) return outcome.fault->id;
      return outcome.warnings.empty() ? "" : outcome.warnings[0].id;
    };
    EXPECT_EQ(told_by(9), id);
    EXPECT_EQ(told_by(8), "");
    EXPECT_EQ(report::example_of(id), module_text(id));
  }
}

TEST(ExampleModules, AMismatchIsRefusedWhenTheModuleIsRead) {
  std::string text = module_text("dma.mismatch");
  EXPECT_EQ(report::example_of("dma.mismatch"), text);
  EXPECT_THAT(test::error_of([&] { test::module_of(text); }), ::testing::HasSubstr("copies between equal shapes"));
  for (std::size_t at; (at = text.find("16x128")) != text.npos;) text.replace(at, 6, "8x128");
  EXPECT_EQ(test::error_of([&] { test::module_of(text); }), "no error");
}

TEST(ExamplesOf, EveryIdHasOne) {
  for (const checkers::Rule& r : checkers::rules())
    EXPECT_EQ(report::example_of(r.id).empty(), r.id == "target.*") << r.id;
}

}  // namespace
}  // namespace millrace::faults
