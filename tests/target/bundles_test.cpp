// SPDX-License-Identifier: Apache-2.0
// Reading what libtpu dumps, on samples written by hand in its form.
#include "target/tpu/bundles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "target/tpu/dumps.h"

namespace millrace::target {
namespace {

std::string sample(const std::string& name) {
  std::ifstream in(MILLRACE_SOURCE_DIR "/tests/target/dumps/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << name;
  return text.str();
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

const std::string kAxpy = "1700000000000000002-axpy.1-";

TEST(Bundles, AreCountedByAddressAndALoopByItsBranchBack) {
  const auto listing = read_bundles(sample(kAxpy + "03-final_bundles.txt"));
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->bundles, 14);
  ASSERT_EQ(listing->loops.size(), 1u);
  const BundleLoop& loop = listing->loops[0];
  EXPECT_EQ(loop.first, 2);
  EXPECT_EQ(loop.bundles, 11) << "from 2 through the branch at 8 and four delay slots";
  EXPECT_EQ(loop.trips, 9);
  EXPECT_EQ(loop.depth, 1);
}

TEST(Bundles, ABoundThatIsNoConstantIsNoTripCount) {
  const auto listing =
      read_bundles(with(sample(kAxpy + "03-final_bundles.txt"), "%s10_s9, 9 /*", "%s10_s9, %s7_s7 /*"));
  ASSERT_TRUE(listing && listing->loops.size() == 1);
  EXPECT_FALSE(listing->loops[0].trips);
}

// The bound counts passes only where the counter begins at 0 and takes steps of 1.
TEST(Bundles, ACounterThatDoesNotCountPassesGivesNoTripCount) {
  const std::string text = sample(kAxpy + "03-final_bundles.txt");
  for (const auto& [from, to] :
       {std::pair{"sadd.s32 1, %s9_s9", "sadd.s32 2, %s9_s9"}, {"smov 0", "smov 3"}, {"scmp.ge.s32", "scmp.lt.s32"}}) {
    const auto listing = read_bundles(with(text, from, to));
    ASSERT_TRUE(listing && listing->loops.size() == 1);
    EXPECT_FALSE(listing->loops[0].trips) << to;
  }
}

// A grid's own loop copies its counter before the next pass.
TEST(Bundles, ACounterMayBeCopiedOnItsWay) {
  std::string text = sample(kAxpy + "03-final_bundles.txt");
  text = with(text, "sphi %s1_s0, %s10_s9", "sphi %s1_s0, %s77_s9");
  text = with(text, "   0x9   :  {}", "   0x9   :  { %s77_s9 = smov %s10_s9 }");
  const auto listing = read_bundles(text);
  ASSERT_TRUE(listing && listing->loops.size() == 1);
  EXPECT_EQ(listing->loops[0].trips, 9);
}

// Where registers run out, the counter waits in SMEM for the end of the pass.
TEST(Bundles, ACounterMayBeSpilled) {
  std::string text = sample(kAxpy + "03-final_bundles.txt");
  text = with(text, "   0x4   :  {}", "   0x4   : > { %5 = sst [smem:[#allocation9_spill]] %s10_s9 }");
  text = with(text, "   0x7   : > {", "   0x7   : > { %s80_s9 = sld [smem:[#allocation9_spill]]  ;; ");
  text = with(text, "totalorder %s10_s9", "totalorder %s80_s9");
  const auto listing = read_bundles(text);
  ASSERT_TRUE(listing && listing->loops.size() == 1);
  EXPECT_EQ(listing->loops[0].trips, 9);
  const auto twice =
      read_bundles(with(text, "   0x9   :  {}", "   0x9   :  { %6 = sst [smem:[#allocation9_spill]] %s1_s0 }"));
  ASSERT_TRUE(twice && twice->loops.size() == 1);
  EXPECT_FALSE(twice->loops[0].trips) << "the slot holds two things";
}

TEST(Bundles, ALoopWithoutItsEndIsLeftOutAndTold) {
  int unread = 0;
  const auto listing = read_bundles(with(sample(kAxpy + "03-final_bundles.txt"), "$region5", "$region6"), &unread);
  ASSERT_TRUE(listing);
  EXPECT_TRUE(listing->loops.empty());
  EXPECT_EQ(unread, 1);
}

TEST(Bundles, AnythingElseIsNoListing) {
  EXPECT_FALSE(read_bundles(""));
  EXPECT_FALSE(read_bundles("to do\n0x12 0x13\n"));
  EXPECT_FALSE(read_bundles("{\"a\": {}}"));
}

TEST(Bundles, TheMainLoopIsTheOneWithTheMostWork) {
  BundleListing listing{100, {{0, 30, 1, 4}, {40, 20, 1, 100}, {45, 10, 2, 1000}, {70, 25, 1, {}}}};
  ASSERT_NE(main_loop(listing), nullptr);
  EXPECT_EQ(main_loop(listing)->first, 40) << "an inner loop is not it";
  listing.loops.clear();
  EXPECT_EQ(main_loop(listing), nullptr);
}

TEST(Slots, AreSummedOverTheBundles) {
  const auto u = read_utilisation(sample(kAxpy + "01-final_hlo-static-per-bundle-utilization.txt"));
  ASSERT_TRUE(u);
  EXPECT_EQ(u->bundles, 14);
  ASSERT_EQ(u->slots.size(), 10u);
  EXPECT_EQ(u->slots[2].slot, "VALU");
  EXPECT_EQ(u->slots[2].capacity, 4);
  EXPECT_EQ(u->slots[2].used, 2);
  EXPECT_EQ(u->slots[9].used, 6);
}

TEST(Slots, ATableWithAHoleIsNotRead) {
  const std::string text = sample(kAxpy + "01-final_hlo-static-per-bundle-utilization.txt");
  EXPECT_FALSE(read_utilisation(with(text, "0 0 2 0 0 0 0 0 0 0", "0 0 2 0 0 0 0 0 0")));
  EXPECT_FALSE(read_utilisation(with(text, "0 0 2 0 0 0 0 0 0 0", "0 0 two 0 0 0 0 0 0 0")));
  EXPECT_FALSE(read_utilisation(""));
}

TEST(Schedule, HasItsTotalsInTheFirstLines) {
  const auto s = read_schedule(sample(kAxpy + "02-schedule-analysis_final_bundles.txt"));
  ASSERT_TRUE(s);
  EXPECT_EQ(s->total, 14);
  EXPECT_EQ(s->empty, 5);
  EXPECT_FALSE(read_schedule("Schedule analysis:\n"));
}

TEST(Vmem, IsReadByAllocationOfTheKernelAskedFor) {
  const auto r = read_vmem_report(sample("1700000000000000001-TLP-05-vmem_report.html"), "axpy.1");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->capacity, 134217728);
  EXPECT_EQ(r->total, 24576);
  ASSERT_EQ(r->allocations.size(), 3u);
  EXPECT_EQ(r->allocations[0].bytes, 8192);
  EXPECT_EQ(r->allocations[0].kind, "scoped");
}

TEST(Vmem, AKernelWithoutAnyHasAnEmptyReportAndABrokenOneNone) {
  const std::string text = sample("1700000000000000001-TLP-05-vmem_report.html");
  const auto r = read_vmem_report(text, "other.1");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->total, 0);
  EXPECT_FALSE(read_vmem_report(with(text, "const DATA =", "const INFO ="), "axpy.1"));
  EXPECT_FALSE(read_vmem_report(with(text, "\"vmem_capacity\"", "\"capacity\""), "axpy.1"));
  EXPECT_FALSE(read_vmem_report("const DATA ={", "axpy.1"));
}

TEST(Dumps, CountsThatContradictEachOtherAreNotBelieved) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "contradicting_dumps";
  std::filesystem::remove_all(folder);
  std::filesystem::copy(MILLRACE_SOURCE_DIR "/tests/target/dumps", folder);
  EXPECT_EQ(read_dumps(folder, "axpy").bundles->bundles, 14);
  std::ofstream(folder / (kAxpy + "02-schedule-analysis_final_bundles.txt"))
      << "Schedule analysis:\n\ttotal scheduled bundles:    15\n\tempty scheduled bundles:    5\n";
  const Dumps dumps = read_dumps(folder, "axpy");
  EXPECT_FALSE(dumps.bundles);
  EXPECT_THAT(dumps.notes, testing::Contains(testing::HasSubstr("the bundles")));
  std::filesystem::remove_all(folder);
}

TEST(Dumps, OfTwoKernelsOfOneNameNoneIsTaken) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "dumps_of_two";
  std::filesystem::remove_all(folder);
  std::filesystem::copy(MILLRACE_SOURCE_DIR "/tests/target/dumps", folder);
  std::ofstream(folder / "1700000000000000003-axpy.2-03-final_bundles.txt") << "     0   :  { %1 = smov 0 }\n";
  EXPECT_FALSE(read_dumps(folder, "axpy").bundles);
  EXPECT_FALSE(read_dumps(folder, "matmul").bundles);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace millrace::target
