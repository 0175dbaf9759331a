// SPDX-License-Identifier: Apache-2.0
// The page whose size is published is the page of the run that was measured.
#include "bench/reporting.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "bench/folder.h"

namespace millrace::bench {
namespace {

TEST(Reporting, TellsTheBarsAndTheBytesOfThePage) {
  std::string kept;
  {
    const Folder folder;
    kept = folder.name();
    const ReportSize few = write_report(16, kept), more = write_report(64, kept);
    EXPECT_GE(few.bars, 16u * 7);
    EXPECT_EQ(few.drawn, few.bars);
    EXPECT_EQ(more.bars - few.bars, 48 * (few.bars / 16));
    EXPECT_EQ(more.bytes, std::filesystem::file_size(kept + "/report.html"));
    EXPECT_GT(more.bytes, few.bytes);
  }
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST(Reporting, JoinsTheBarsOfALongRun) {
  const Folder folder;
  const ReportSize size = write_report(20'000, folder.name());
  EXPECT_GE(size.bars, 140'000u);
  EXPECT_LE(size.drawn, 100'000u);
  EXPECT_LT(size.bytes, 20'000'000u);
}

}  // namespace
}  // namespace millrace::bench
