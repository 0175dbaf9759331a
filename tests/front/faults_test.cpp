// SPDX-License-Identifier: Apache-2.0
// Faulty kernels and their nearest correct twins, with verdicts that others have derived: every finding and every
// detail of it must come out, whatever the schedule of the run that is watched, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "front/case_folder.h"
#include "front/case_run.h"
#include "front/files.h"

namespace millrace::front {
namespace {

using ::testing::IsEmpty;

const char* const kFolder = "cases/faults_small";

std::vector<std::filesystem::path> folders() { return case_folders({test::data(kFolder).string()}); }

class Faults : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void expect_exact(const CaseOptions& options) const {
    CaseResult r = run_case(GetParam(), options);
    std::erase_if(r.reasons, [](const std::string& why) { return why.starts_with("not checked yet"); });
    EXPECT_THAT(r.reasons, IsEmpty()) << options.schedule << ", " << options.dma_signal;
    EXPECT_THAT(r.inexact, IsEmpty()) << options.schedule << ", " << options.dma_signal;
  }
};

TEST_P(Faults, AreFoundExactlyUnderEverySchedule) {
  for (const char* schedule : {"canonical", "eager", "lazy", "random:1", "random:2"}) expect_exact({schedule});
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  return info.param.filename().string();
}

TEST_P(Faults, AreThoseOfTheWholeFormWhereDmasSignalOnce) {
  for (const char* schedule : {"canonical", "eager", "lazy", "random:1"}) {
    CaseOptions options;
    options.schedule = schedule, options.dma_signal = "whole";
    expect_exact(options);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, Faults, testing::ValuesIn(folders()), name_of);

// The table above would pass over a folder of correct kernels alone.
TEST(FaultFolders, HoldEveryKindOfFaultAndCleanTwins) {
  std::set<std::string> ids;
  int clean = 0, whole = 0;
  for (const auto& folder : folders()) {
    const CaseFolder c = read_case_folder(folder);
    clean += !c.faulty;
    whole += c.whole_findings.has_value();
    for (const auto& f : c.findings) ids.insert(f.at("id"));
  }
  EXPECT_GE(clean, 30);
  EXPECT_GE(whole, 5);
  for (const char* id :
       {"race.read-write", "race.write-write", "deadlock", "leftover.dma", "leftover.semaphore", "scope.use-after",
        "revisit.output", "alias.hazard", "bounds.dma", "bounds.access", "bounds.block"})
    EXPECT_TRUE(ids.contains(id)) << id;
}

}  // namespace
}  // namespace millrace::front
