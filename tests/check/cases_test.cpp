// SPDX-License-Identifier: Apache-2.0
// Case folders with known verdicts: every race, deadlock and undefined read must come out as case.json words it, in the
// faulty kernels and (nothing) in their twins, whatever the schedule of the one run that is watched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/simulate.h"
#include "cases.h"
#include "runs.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> found(const Case& c, const std::string& schedule, bool undefined) {
  RunOptions options;
  options.schedule = schedule;
  options.detect_races = true, options.check_definedness = undefined;
  options.max_steps = 1'000'000;
  const api::Simulation s = api::simulate(c.module, c.inputs, c.outputs, options, {}, c.environment);
  std::vector<std::string> lines;
  for (const Finding& f : s.races) lines.push_back(described(f));
  for (const Finding& f : s.stops)
    if (const std::string line = described(f); !line.empty()) lines.push_back(line);
  for (const Finding& f : s.undefined) lines.push_back(described(f));
  std::sort(lines.begin(), lines.end());
  return lines;
}

class Cases : public testing::TestWithParam<fs::path> {};

// What is undefined is the other test's affair.
std::vector<std::string> without_undefined(std::vector<std::string> findings) {
  std::erase_if(findings, [](const std::string& f) {
    return f.starts_with("uninitialized") || f.starts_with("padding") || f.starts_with("uncovered");
  });
  return findings;
}

TEST_P(Cases, FindExactlyTheExpectedRacesAndDeadlocksUnderEverySchedule) {
  const Case c = read_case(GetParam());
  for (const std::string& schedule : schedules(3))
    EXPECT_THAT(found(c, schedule, false), testing::ElementsAreArray(without_undefined(c.findings)))
        << c.name << " under " << schedule;
}

// Kernels with undefined data or outputs not wholly written, and their twins: all findings.
class UndefinedCases : public testing::TestWithParam<fs::path> {};

TEST_P(UndefinedCases, FindExactlyWhatIsExpectedUnderEverySchedule) {
  const Case c = read_case(GetParam());
  for (const std::string& schedule : schedules(3))
    EXPECT_THAT(found(c, schedule, true), testing::ElementsAreArray(c.findings)) << c.name << " under " << schedule;
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) { return info.param.filename().string(); }

INSTANTIATE_TEST_SUITE_P(Faults, Cases,
                         testing::ValuesIn(folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/faults_small")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Faults, UndefinedCases,
                         testing::ValuesIn(folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/undefined_small")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(CorrectKernels, Cases,
                         testing::ValuesIn(folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/data/kernels")), name_of);

// The table above would pass over an empty folder.
TEST(CaseFolders, HoldFaultyKernelsAndCleanTwins) {
  int faulty = 0, clean = 0;
  for (const fs::path& folder : folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/faults_small"))
    ++(read_case(folder).findings.empty() ? clean : faulty);
  EXPECT_GE(faulty, 30);
  EXPECT_GE(clean, 20);
}

}  // namespace
}  // namespace millrace::test
