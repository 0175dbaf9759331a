// SPDX-License-Identifier: Apache-2.0
#include "arrows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::tidy {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A tree of one file that includes one header.
Complaints including(const std::string& path, const std::string& include) {
  return check_arrows({{path, "// head\n#include " + include + "\n"}});
}

TEST(Arrows, ACheckerMustNotKnowTheMachine) {
  EXPECT_THAT(including("src/check/races.cpp", "\"machine/machine.h\""),
              ElementsAre("src/check/races.cpp:2: includes machine/machine.h: room check must not know room machine"));
  EXPECT_THAT(including("src/check/races.cpp", "\"event/event.h\""), IsEmpty());
  EXPECT_THAT(including("src/check/races.cpp", "\"check/races.h\""), IsEmpty());
}

TEST(Arrows, TheMachineMustNotKnowACheckerNorTheKernelLanguage) {
  EXPECT_THAT(including("src/machine/run.cpp", "\"check/races.h\""),
              ElementsAre(HasSubstr("must not know room check")));
  EXPECT_THAT(including("src/machine/run.cpp", "\"dsl/trace.h\""), ElementsAre(HasSubstr("must not know room dsl")));
  EXPECT_THAT(including("src/machine/run.cpp", "\"program/program.h\""), IsEmpty());
}

TEST(Arrows, OfTheModulesTheMachineSeesOnlyTheirElementTypes) {
  EXPECT_THAT(including("src/machine/tile/tile.h", "\"mosaic/ir.h\""), IsEmpty());
  EXPECT_THAT(including("src/machine/tile/tile.h", "\"mosaic/io.h\""), ElementsAre(HasSubstr("room mosaic")));
}

TEST(Arrows, OnlyTheMosaicRoomAndTheCpuTargetSeeMlir) {
  EXPECT_THAT(including("src/target/cpu/tiles.cpp", "<mlir/IR/BuiltinOps.h>"), IsEmpty());
  EXPECT_THAT(including("src/target/tpu/job.cpp", "<mlir/IR/BuiltinOps.h>"), ElementsAre(HasSubstr("only src/mosaic")));
  EXPECT_THAT(including("src/mosaic/read.cpp", "\"mlir/IR/BuiltinOps.h\""), IsEmpty());
  EXPECT_THAT(including("src/mosaic/read.cpp", "<llvm/ADT/APInt.h>"), IsEmpty());
  EXPECT_THAT(including("src/program/lower.cpp", "\"mlir/IR/BuiltinOps.h\""),
              ElementsAre(HasSubstr("only src/mosaic")));
  EXPECT_THAT(including("tests/machine/run_test.cpp", "<llvm/ADT/APInt.h>"), ElementsAre(HasSubstr("only src/mosaic")));
}

TEST(Arrows, PublicHeadersSeeOnlyThemselvesAndTheStandardLibrary) {
  EXPECT_THAT(including("include/millrace/run.h", "\"millrace/array.h\""), IsEmpty());
  EXPECT_THAT(including("include/millrace/run.h", "<vector>"), IsEmpty());
  EXPECT_THAT(including("include/millrace/run.h", "<fmt/format.h>"), ElementsAre(HasSubstr("no library but std")));
  EXPECT_THAT(including("include/millrace/run.h", "\"nlohmann/json.hpp\""),
              ElementsAre(HasSubstr("no library but std")));
  EXPECT_THAT(including("include/millrace/run.h", "\"event/event.h\""), ElementsAre(HasSubstr("must not see src/")));
  EXPECT_THAT(including("examples/softmax.cpp", "\"machine/machine.h\""), ElementsAre(HasSubstr("must not see src/")));
}

TEST(Arrows, TheLabUsesNothingThatAUserCouldNot) {
  EXPECT_THAT(including("src/lab/axpy.cpp", "\"millrace/run.h\""), IsEmpty());
  EXPECT_THAT(including("src/lab/axpy.cpp", "\"plan/tiles.h\""), IsEmpty());
  EXPECT_THAT(including("src/lab/axpy.cpp", "\"machine/machine.h\""),
              ElementsAre(HasSubstr("must not know room machine")));
}

TEST(Arrows, RoomsBelowTheLanguageSeeOnlyTheVocabularyOfThePublicHeaders) {
  EXPECT_THAT(including("src/machine/run.cpp", "\"millrace/dtype.h\""), IsEmpty());
  EXPECT_THAT(including("src/machine/run.cpp", "\"millrace/kernel.h\""), ElementsAre(HasSubstr("vocabulary")));
  EXPECT_THAT(including("src/dsl/trace.cpp", "\"millrace/kernel.h\""), IsEmpty());
}

TEST(Arrows, MeasurementsAreTakenInOneRoom) {
  EXPECT_THAT(including("src/bench/axpy.cpp", "<benchmark/benchmark.h>"), IsEmpty());
  EXPECT_THAT(including("src/bench/axpy.cpp", "\"millrace/millrace.h\""), IsEmpty());
  EXPECT_THAT(including("src/bench/axpy.cpp", "\"machine/machine.h\""), ElementsAre(HasSubstr("room machine")));
  EXPECT_THAT(including("src/machine/run.cpp", "<benchmark/benchmark.h>"), ElementsAre(HasSubstr("test libraries")));
}

TEST(Arrows, TheCommandLineIsReadInOneRoom) {
  EXPECT_THAT(including("src/cli/lab.cpp", "<CLI/CLI.hpp>"), IsEmpty());
  EXPECT_THAT(including("src/lab/axpy.cpp", "<CLI/CLI.hpp>"), ElementsAre(HasSubstr("only src/cli")));
}

TEST(Arrows, TestsMayLookIntoEveryRoomAndHaveTheirOwnLibraries) {
  EXPECT_THAT(including("tests/check/races_test.cpp", "\"machine/machine.h\""), IsEmpty());
  EXPECT_THAT(including("tests/check/races_test.cpp", "<gtest/gtest.h>"), IsEmpty());
  EXPECT_THAT(including("src/check/races.cpp", "<gtest/gtest.h>"), ElementsAre(HasSubstr("tests/")));
}

TEST(Arrows, AnUnknownHeaderOrRoomIsNamed) {
  EXPECT_THAT(including("src/array/npy.cpp", "\"npy.h\""), ElementsAre(HasSubstr("write \"room/file.h\"")));
  EXPECT_THAT(including("src/array/npy.cpp", "<boost/any.hpp>"), ElementsAre(HasSubstr("nobody knows")));
  EXPECT_THAT(including("src/cellar/wine.cpp", "\"array/npy.h\""), ElementsAre(HasSubstr("not in the list of rooms")));
}

TEST(Arrows, IncludesAreFoundHoweverTheyAreSpaced) {
  EXPECT_THAT(check_arrows({{"src/event/a.cpp", "  #  include   \"check/a.h\"  // why\n"}}), testing::SizeIs(1));
  EXPECT_THAT(check_arrows({{"src/event/a.cpp", "// #include \"check/a.h\"\n"}}), IsEmpty());
}

}  // namespace
}  // namespace millrace::tidy
