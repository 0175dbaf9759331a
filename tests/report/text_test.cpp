// SPDX-License-Identifier: Apache-2.0
#include "report/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "example.h"
#include "report/waits.h"

namespace millrace::report {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Text, PlacesFirstThenTheMendThenWhatItCovers) {
  Checked c = checked({race()});
  c.schedules.control_depends_on = {"in1"};
  EXPECT_EQ(to_text(c, false),
            "error[race.read-write]: scratch0[1, 0:8] is read while a load may still be writing it\n"
            "  --> ring.py:31   core read scratch0[1, 0:8], the 3rd time\n"
            "  --> ring.py:24   DMA write scratch0[1, 0:8], the 1st time\n"
            "   = no wait proves the DMAs started at ring.py:24\n"
            "   = usual mend: one semaphore for each slot\n"
            "   = in all schedules; clause S4.2; `millrace explain race.read-write`\n"
            "\n"
            "1 error. Checked 1 of 1 schedule class for these inputs (they steer control flow: in1).\n");
}

TEST(Text, RacesThatHaveAPlaceInCommonAreOneStory) {
  Finding other = race("ring.py:35");
  other.id = "race.write-write", other.second->access = "core write";
  const std::string text = to_text(checked({race(), deadlock(), other}), false);
  EXPECT_THAT(text, HasSubstr("ring.py:24   DMA write scratch0[1, 0:8], the 1st time\n"
                              "   = no wait proves the DMAs started at ring.py:24\n"
                              "   = and race.write-write: ring.py:35 core write, the 3rd time; "
                              "ring.py:24 DMA write, the 1st time\n"));
  EXPECT_THAT(text, HasSubstr("\n3 errors. "));
  Finding elsewhere = race("ring.py:35");
  elsewhere.memory = "scratch9";
  EXPECT_THAT(to_text(checked({race(), elsewhere}), false), Not(HasSubstr("= and race")));
}

// The third has a place in common with each of the first two, which have none with each other.
TEST(Text, AStoryGrowsThroughOthers) {
  Finding a = race("a.py:1"), b = race("a.py:2"), both = race("a.py:3");
  a.first->at = "a.py:8", b.first->at = "a.py:9", both.first->at = "a.py:8", both.second->at = "a.py:2";
  const std::string text = to_text(checked({a, b, both}), false);
  EXPECT_THAT(text, StartsWith("error[race.read-write]"));
  EXPECT_EQ(text.find("error[", 1), text.npos);
  EXPECT_NE(to_text(checked({a, b}), false).find("error[", 1), text.npos);
}

TEST(Text, SaysWhyTheDmaIsNotProved) {
  Checked c = checked({race()});
  checkers::WaitSite w;
  w.at = "ring.py:29", w.semaphore = "scratch1";
  w.proved = {{"ring.py:24", "", 1, 1, 0, 0}};
  c.waits = {w};
  EXPECT_THAT(to_text(c, false),
              HasSubstr("   = the wait at ring.py:29 proves DMAs started at ring.py:24, but not this "
                        "one before the other access\n"));
  c.waits[0].open = {{"ring.py:24", "", 1, 1, 0, 0}};
  EXPECT_THAT(to_text(c, false),
              HasSubstr("   = the wait at ring.py:29 does not prove it: more is under way on scratch1 "
                        "than it asks for\n"));
}

TEST(Text, AScopeNamesTheLineAroundIt) {
  EXPECT_THAT(to_text(checked({in_scope()}), false), HasSubstr("--> ep_copy_out/dma_start at pipe.py:12   core read"));
}

TEST(Text, DetailsAreSaidInWords) {
  Finding block;
  block.id = "bounds.block", block.memory = "in0", block.message = "m", block.clause = "S5.5";
  block.block = {8, 0}, block.blocks = {4, 1}, block.grid_step = {1};
  EXPECT_THAT(to_text(checked({block}), false), HasSubstr("   = block (8, 0) of (4, 1)\n   = in grid step (1,)\n"));
  Finding left;
  left.id = "leftover.dma", left.semaphore = "scratch3[0]", left.bytes = 4096, left.message = "m";
  EXPECT_THAT(to_text(checked({left}), false), HasSubstr("   = on scratch3[0], 4096 bytes\n"));
  Finding bare;
  bare.id = "uncovered.output", bare.message = "m", bare.boxes = {{{0, 8, 1}, {3, 4, 1}}, {{0, 8, 2}}};
  EXPECT_THAT(to_text(checked({bare}), false), HasSubstr("   = elements [0:8, 3] [0:8:2]\n"));
}

TEST(Text, ColoursOnlyWhereTheyAreWanted) {
  const Checked c = checked({race(), warning()});
  EXPECT_THAT(to_text(c, false), Not(HasSubstr("\033")));
  EXPECT_THAT(to_text(c, true), HasSubstr("\033[1;31merror[race.read-write]\033[0m"));
  EXPECT_THAT(to_text(c, true), HasSubstr("\033[1;33mwarning[target.vmem]\033[0m"));
}

TEST(Summary, CountsAndSaysWhatIsCovered) {
  EXPECT_EQ(summary(checked({})), "clean. Checked 1 of 1 schedule class for these inputs.");
  EXPECT_THAT(summary(checked({warning()})), HasSubstr("clean, 1 warning. "));
  Checked c = checked({race(), deadlock()});
  c.states = {State::kMoved, State::kNew}, c.gone = 2;
  c.schedules.complete = false, c.schedules.open = {"accesses race"};
  EXPECT_EQ(summary(c),
            "2 errors (1 known); 2 of the baseline are gone. Checked 1 schedule class for these inputs; there "
            "may be more: accesses race.");
  c = checked({});
  c.schedules.classes = c.schedules.explored = 12;
  EXPECT_THAT(summary(c), EndsWith("Checked 12 of 12 schedule classes for these inputs."));
}

TEST(Waits, SayWhatTheyProveAndWhatTheyLeaveOpen) {
  checkers::WaitSite w;
  w.at = "a.py:9", w.semaphore = "scratch1", w.waits = 4, w.least = w.most = 4096;
  w.proved = {{"a.py:5", "", 4, 4, 0, 0}};
  EXPECT_EQ(waits_text({w}), "wait at a.py:9: 4096 bytes of scratch1, 4 times\n   proves  4 DMAs started at a.py:5\n");
  w.proved[0].waits = 3, w.proved_none = 1, w.first_without_proof = 0;
  w.open = {{"a.py:6", "", 2, 1, 0, 1}};
  EXPECT_THAT(waits_text({w}), HasSubstr("started at a.py:5, in 3 of 4 waits\n"
                                         "   proves  nothing in 1 of 4 waits; the 1st is the first\n"
                                         "   leaves  DMAs started at a.py:6 open in 1 of 4 waits; first: the 1st wait "
                                         "does not prove the 2nd start\n"));
  checkers::WaitSite signal;
  signal.at = "a.py:3", signal.semaphore = "scratch2", signal.bytes = false, signal.waits = 1;
  signal.least = 1, signal.most = 2;
  EXPECT_EQ(waits_text({signal}),
            "wait at a.py:3: 1 to 2 of scratch2, once\n"
            "   proves  no DMA; what it waits for came from signals\n");
  EXPECT_EQ(waits_text({}), "The kernel itself waits for nothing.\n");
}

}  // namespace
}  // namespace millrace::report
