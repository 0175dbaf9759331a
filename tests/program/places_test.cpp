// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <gtest/gtest.h>

namespace millrace::program {
namespace {

using mosaic::Location;
using mosaic::Op;
using mosaic::Region;

Op op_at(mosaic::LocationId location, std::vector<Region> regions = {}) {
  Op op;
  op.name = "test.op";
  op.location = location;
  op.regions = std::move(regions);
  return op;
}

Region holding(std::vector<Op> ops) {
  Region region;
  region.ops = std::move(ops);
  return region;
}

mosaic::Module module_of(std::vector<Location> locations, Region body) {
  mosaic::Module module;
  module.locations = std::move(locations);
  mosaic::Function f;
  f.name = "main";
  f.body = std::move(body);
  module.functions.push_back(std::move(f));
  return module;
}

TEST(Places, ALineOfTheSourceStandsAsItIs) {
  const auto places = places_of(module_of({{"", "a.py", 7, 2}}, holding({op_at(0)})));
  EXPECT_EQ(places[0].at, "a.py:7");
  EXPECT_EQ(places[0].where, "a.py:7");
}

TEST(Places, AScopeOfAPipelineIsSaidInWordsWithTheLineAroundIt) {
  const auto places = places_of(module_of({{"", "a.py", 7, 2}, {"cond", "", 0, 0}, {"ep_copy_in/dma_start", "", 0, 0}},
                                          holding({op_at(0, {holding({op_at(1, {holding({op_at(2)})})})})})));
  EXPECT_EQ(places[2].at, "ep_copy_in/dma_start");
  EXPECT_EQ(places[2].where, "pipeline copy-in (ep_copy_in/dma_start), emit_pipeline at a.py:7");
  EXPECT_EQ(places[1].where, "cond inside a.py:7");
}

TEST(Places, AScopeThatStandsInTwoPipelinesNamesBoth) {
  const auto places = places_of(module_of({{"", "a.py", 7, 2}, {"", "a.py", 9, 2}, {"ep_wait_out/dma_wait", "", 0, 0}},
                                          holding({op_at(0, {holding({op_at(2)})}), op_at(1, {holding({op_at(2)})})})));
  EXPECT_EQ(places[2].where, "pipeline wait-out (ep_wait_out/dma_wait), emit_pipeline at a.py:7 or a.py:9");
}

TEST(Places, TheInnermostPipelineCounts) {
  const auto places =
      places_of(module_of({{"ep_run_kernel/ep_initialize_0/dma_start", "", 0, 0}}, holding({op_at(0)})));
  EXPECT_EQ(places[0].where, "pipeline start (ep_run_kernel/ep_initialize_0/dma_start)");
}

TEST(Places, NoScopeIsAPhaseByItsLettersAlone) {
  const auto places = places_of(module_of({{"my_ep_copy_in_step", "", 0, 0}}, holding({op_at(0)})));
  EXPECT_EQ(places[0].where, "my_ep_copy_in_step");
}

TEST(Places, NothingKnownIsSaid) {
  EXPECT_EQ(places_of(module_of({{}}, holding({op_at(0)})))[0].where, "an unknown place");
}

}  // namespace
}  // namespace millrace::program
