// SPDX-License-Identifier: Apache-2.0
// The lab's contract: every breach has a sentence of its own and is the user's.
#include "lab/contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/axpy.h"
#include "millrace/error.h"

namespace millrace::lab {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string refusal(auto&& call, ErrorCode code = ErrorCode::kUser) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "not refused";
}

std::string pair_refusal(const Array& x, const Array& y) {
  return refusal([&] { require_pair(x, y); });
}

std::string configuration_refusal(const Configuration& c) {
  return refusal([&] { require_configuration(c); });
}

TEST(Contract, TakesEqualMatricesOfBothTypes) {
  EXPECT_NO_THROW(require_pair(Array(f32, {1, 1}), Array(f32, {1, 1})));
  EXPECT_NO_THROW(require_pair(Array(bf16, {9, 129}), Array(bf16, {9, 129})));
}

TEST(Contract, RefusesWhatIsNoMatrixWithItsShape) {
  EXPECT_THAT(pair_refusal(Array(f32, {17, 257, 1}), Array(f32, {17, 257})),
              HasSubstr("x has shape (17, 257, 1); the lab takes matrices (rows, columns)"));
  EXPECT_THAT(pair_refusal(Array(f32, {4}), Array(f32, {4})), HasSubstr("x has shape (4,)"));
  EXPECT_THAT(pair_refusal(Array(f32, {2, 2}), Array(f32, {})), HasSubstr("y has shape ()"));
}

TEST(Contract, RefusesEmptyMatrices) {
  EXPECT_THAT(pair_refusal(Array(f32, {0, 5}), Array(f32, {0, 5})), HasSubstr("x is empty (shape (0, 5))"));
  EXPECT_THAT(pair_refusal(Array(f32, {5, 5}), Array(f32, {5, 0})), HasSubstr("y is empty (shape (5, 0))"));
}

TEST(Contract, RefusesUnequalShapesNamingBoth) {
  EXPECT_THAT(pair_refusal(Array(f32, {2, 3}), Array(f32, {3, 2})), HasSubstr("x has shape (2, 3) and y (3, 2)"));
}

TEST(Contract, RefusesUnequalTypesNamingBoth) {
  EXPECT_THAT(pair_refusal(Array(f32, {2, 3}), Array(bf16, {2, 3})), HasSubstr("x is f32 and y is bf16"));
}

class OtherType : public ::testing::TestWithParam<DType> {};

TEST_P(OtherType, IsRefusedByName) {
  const Array other(GetParam(), {2, 3});
  const std::string name(name_of(GetParam()));
  EXPECT_THAT(pair_refusal(other, other), HasSubstr("x is " + name + "; the lab takes f32 and bf16"));
  EXPECT_THAT(pair_refusal(Array(f32, {2, 3}), other), HasSubstr("y is " + name));
}

INSTANTIATE_TEST_SUITE_P(Types, OtherType, ::testing::Values(f16, i8, i16, i32, u8, u16, u32, i1));

TEST(Contract, TellsHowAStoredBf16MatrixIsNamed) {
  const Array stored(u16, {2, 3});
  EXPECT_THAT(pair_refusal(stored, stored), HasSubstr("needs `--dtype bf16`"));
}

TEST(Contract, TakesBlocksThatAreMultiplesOfTheUnitTile) {
  for (const Extent block : {Extent{8, 128}, {16, 128}, {16, 256}, {24, 384}}) {
    EXPECT_NO_THROW(require_configuration({.block = block}));
    EXPECT_NO_THROW(require_configuration({.block = block, .input_slots = 3, .synchronous = true}));
  }
}

class NoPipelineBlock : public ::testing::TestWithParam<Extent> {};

TEST_P(NoPipelineBlock, IsRefusedByThePipelinedProgramAlone) {
  const std::string sentence = configuration_refusal({.block = GetParam()});
  EXPECT_THAT(sentence, AllOf(HasSubstr("block " + to_string(GetParam()) + " cannot be pipelined"),
                              HasSubstr("a multiple of 8 and columns of 128")));
  EXPECT_NO_THROW(require_configuration({.program = Program::kBlocked, .block = GetParam()}));
}

INSTANTIATE_TEST_SUITE_P(Blocks, NoPipelineBlock,
                         ::testing::Values(Extent{3, 5}, Extent{8, 127}, Extent{7, 128}, Extent{12, 128},
                                           Extent{8, 192}, Extent{2, 4}));

TEST(Contract, RefusesBlocksThatAreNoTile) {
  for (const Program program : {Program::kPipelined, Program::kBlocked}) {
    EXPECT_THAT(configuration_refusal({.program = program, .block = {0, 128}}), HasSubstr("block 0x128 is not a tile"));
    EXPECT_THAT(configuration_refusal({.program = program, .block = {8, -128}}), HasSubstr("block 8x-128"));
  }
}

TEST(Contract, RefusesOtherSlotCounts) {
  for (const int slots : {-1, 0, 1, 4, 100}) {
    EXPECT_THAT(configuration_refusal({.input_slots = slots}),
                HasSubstr(std::to_string(slots) + " input slots: the lab pipelines with 2 or 3"));
  }
  for (const int slots : {1, 3}) {
    EXPECT_THAT(configuration_refusal({.output_slots = slots}),
                HasSubstr(std::to_string(slots) + " output slots: the lab keeps exactly 2"));
  }
}

TEST(Contract, RefusesPipelineOptionsOfTheBlockedProgram) {
  EXPECT_THAT(configuration_refusal({.program = Program::kBlocked, .input_slots = 3}), HasSubstr("belong to"));
  EXPECT_THAT(configuration_refusal({.program = Program::kBlocked, .synchronous = true}), HasSubstr("belong to"));
}

TEST(Contract, NamesTheProgramsModesAndTypesThatThereAre) {
  EXPECT_THAT(refusal([] { program_named("fused"); }), HasSubstr("program `fused`"));
  EXPECT_THAT(refusal([] { mode_named("gpu"); }), HasSubstr("mode `gpu` is not one of the lab's: simulate, tpu"));
  EXPECT_THAT(refusal([] { mode_named(""); }), HasSubstr("mode ``"));
  EXPECT_THAT(refusal([] { lab_dtype_named("f16"); }), HasSubstr("dtype `f16` is not one of the lab's: f32, bf16"));
}

TEST(Contract, ATpuIsNeverReplacedByTheSimulator) {
  const Pair input = lesson_pair(f32);
  EXPECT_THAT(refusal([&] { simulate_axpy({.mode = Mode::kTpu}, input); }, ErrorCode::kUnsupported),
              AllOf(HasSubstr("no TPU here"), HasSubstr("nothing was run and no receipt written")));
}

}  // namespace
}  // namespace millrace::lab
