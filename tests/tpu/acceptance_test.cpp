// SPDX-License-Identifier: Apache-2.0
// Every case that says what the TPU compiler made of its module: it must make the same of ours, which has been read
// and written again. And the table that the rules are held to (tests/support/chip_kernels.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "chip_kernels.h"
#include "on_libtpu.h"
#include "plan/chip.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using target::Verdict;

struct Labelled {
  fs::path folder;
  std::string chip;
  Verdict verdict = Verdict::kAccepted;
};

Verdict verdict_in(const std::string& result) {
  if (result == "compiles") return Verdict::kAccepted;
  return result.starts_with("refused") ? Verdict::kRefused : Verdict::kDied;
}

std::optional<Labelled> labelled(const fs::path& file) {
  std::ifstream in(file);
  const nlohmann::json label = nlohmann::json::parse(in).value("libtpu", nlohmann::json());
  if (label == "compiles") return Labelled{file.parent_path(), "v5e"};
  if (!label.is_object()) return {};
  return Labelled{file.parent_path(), std::string(plan::chip_named(label.at("target").get<std::string>()).name),
                  verdict_in(label.at("result"))};
}

// The project's, and where there is a folder of more those as well.
std::vector<Labelled> labelled_cases() {
  std::vector<Labelled> found;
  for (const char* root : {MILLRACE_SOURCE_DIR "/tests/cases", MILLRACE_CASES}) {
    if (!fs::is_directory(root)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.path().filename() != "case.json") continue;
      if (const auto label = labelled(entry.path())) found.push_back(*label);
    }
  }
  std::sort(found.begin(), found.end(), [](const Labelled& a, const Labelled& b) { return a.folder < b.folder; });
  return found;
}

TEST(Acceptance, OfEveryCaseIsAsItsLabelSays) {
  const std::vector<Labelled> cases = labelled_cases();
  EXPECT_GT(cases.size(), 150u);
  const auto results = two_at_a_time(cases.size(), [&](std::size_t i) {
    const front::KernelToCompile kernel = front::read_to_compile(cases[i].folder, "", {});
    return front::compile_kernel(kernel, plan::chip_named(cases[i].chip), {library(), worker(), {}});
  });
  std::size_t with_figures = 0, as_modeled = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const target::Compiled& c = results[i].compiled;
    const std::string name = cases[i].folder.filename().string();
    EXPECT_EQ(name_of(c.verdict), name_of(cases[i].verdict)) << name << ": " << c.diagnosis.reason;
    EXPECT_TRUE(results[i].agrees().value_or(true)) << name << ": the rules differ: " << c.diagnosis.reason;
    with_figures += c.dumps.bundles && c.dumps.vmem && c.dumps.utilisation;
    if (!c.dumps.vmem) continue;
    EXPECT_LE(c.dumps.vmem->total, c.dumps.vmem->capacity) << name;
    as_modeled += c.dumps.vmem->total == results[i].modeled.vmem;
  }
  EXPECT_GT(with_figures, cases.size() * 9 / 10);
  EXPECT_GT(as_modeled, cases.size() * 8 / 10);
}

// Row by row and chip by chip.
TEST(Acceptance, OfTheRulesTableIsTheCompilers) {
  struct Asked {
    const ChipKernel* kernel;
    std::string chip;
    bool taken;
  };
  const std::vector<ChipKernel> table = all_chip_kernels();
  std::vector<Asked> asked;
  for (const ChipKernel& k : table) {
    for (const std::string& chip : k.takes) asked.push_back({&k, chip, true});
    for (const std::string& chip : k.refuses) asked.push_back({&k, chip, false});
  }
  // A kernel is traced by one thread: its calls are made before.
  std::vector<target::KernelCall> calls;
  for (const Asked& a : asked) calls.push_back(call_of(a.kernel->kernel, a.kernel->inputs));
  const auto results = two_at_a_time(asked.size(), [&](std::size_t i) { return compiled(calls[i], asked[i].chip); });
  EXPECT_GT(asked.size(), 138u);
  for (std::size_t i = 0; i < asked.size(); ++i)
    EXPECT_EQ(results[i].verdict == Verdict::kAccepted, asked[i].taken)
        << asked[i].kernel->name << " on " << asked[i].chip << ": " << results[i].diagnosis.reason;
}

}  // namespace
}  // namespace millrace::test
