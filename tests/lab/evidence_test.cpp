// SPDX-License-Identifier: Apache-2.0
// The evidence on disk: whole files, found again, and nothing else touched.
#include "lab/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cli/process.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "lab/transcript.h"
#include "millrace/error.h"
#include "millrace/file.h"

namespace millrace::lab {
namespace {

namespace fs = std::filesystem;
using millrace::testing::Folder;
using millrace::testing::read_text;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

LabReport small_report() { return run_lab({.given = random_pair(9, 129, bf16, 2)}, {"0", "none", "gcc", "llvm"}); }

std::set<std::string> files_under(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(fs::relative(entry.path(), folder).string());
  }
  return files;
}

TEST(Evidence, HoldsWhatTheRunSaidAndUsed) {
  const Folder folder;
  const LabReport report = small_report();
  write_evidence(report, folder / "new" / "deep");
  const fs::path kept = folder / "new" / "deep";
  EXPECT_EQ(files_under(kept),
            (std::set<std::string>{"environment.json", "figures.json", "inputs/given.x.npy", "inputs/given.y.npy",
                                   "outputs/asked.run.npy", "outputs/asked.synchronous.npy",
                                   "outputs/asked.three-slots.npy", "transcript.txt"}));
  EXPECT_EQ(read_text(kept / "transcript.txt"), transcript(report));
  EXPECT_EQ(nlohmann::ordered_json::parse(read_text(kept / "figures.json")), figures(report));
  EXPECT_TRUE(same_bits(read_npy(kept / "inputs" / "given.x.npy", bf16), report.inputs[0].pair.x));
  EXPECT_TRUE(same_bits(read_npy(kept / "outputs" / "asked.run.npy", bf16), report.experiments[0].runs[0].output));
}

TEST(Evidence, ReplacesItsOwnFilesAndLeavesOthersAlone) {
  const Folder folder;
  write_whole_file(folder / "notes.txt", "mine");
  write_whole_file(folder / "transcript.txt", std::string(100000, 'x'));
  const LabReport report = small_report();
  write_evidence(report, folder.path());
  write_evidence(report, folder.path());
  EXPECT_EQ(read_text(folder / "notes.txt"), "mine");
  EXPECT_EQ(read_text(folder / "transcript.txt"), transcript(report));
  EXPECT_EQ(files_under(folder.path()).size(), 9u);
}

TEST(Evidence, TheLessonKeepsPredictionsPictureAndEachInput) {
  const Folder folder;
  write_evidence(run_lab({}, {}), folder.path());
  EXPECT_THAT(files_under(folder.path()),
              IsSupersetOf({"predictions.md", "figures.svg", "figures-narrow.svg", "timeline-narrow.svg",
                            "inputs/lesson.x.npy", "inputs/one-tile.y.npy", "inputs/random-f32.x.npy",
                            "inputs/random-bf16.x.npy", "outputs/schedules.synchronous.npy",
                            "outputs/schedules.buffered-lazy.npy", "outputs/third-slot.16x256-three-slots.npy"}));
}

TEST(Evidence, AFileWhereTheFolderShouldBeIsRefusedAndKept) {
  const Folder folder;
  write_whole_file(folder / "taken", "mine");
  EXPECT_THROW(require_folder(folder / "taken"), Error);
  EXPECT_THROW(write_evidence(small_report(), folder / "taken"), Error);
  EXPECT_EQ(read_text(folder / "taken"), "mine");
}

}  // namespace
}  // namespace millrace::lab
