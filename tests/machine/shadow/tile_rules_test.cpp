// SPDX-License-Identifier: Apache-2.0
// The rules for tiles by themselves: labels in, labels out.
#include "machine/shadow/tile_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millrace::machine::shadow {
namespace {

using testing::Each;
using testing::ElementsAre;

struct Tile {
  std::vector<std::uint32_t> values;
  std::vector<Label> labels;  // by byte
  Operand operand(bool one = false) const {
    return {labels.empty() ? nullptr : labels.data(), reinterpret_cast<const std::byte*>(values.data()), one};
  }
};

// Elements of four bytes; a label for each of them.
Tile words(std::vector<std::uint32_t> values, const std::vector<Label>& labels = {}) {
  Tile t{std::move(values), {}};
  for (Label l : labels) t.labels.insert(t.labels.end(), 4, l);
  return t;
}

class TileRules : public testing::Test {
 protected:
  Labels labels;
  const Label p = labels.origin(1, "scratch0", false).label, q = labels.origin(2, "scratch1", false).label;

  std::vector<Label> binary(const char* op, const Tile& a, const Tile& b, Element e = Element::kI32, bool one = false) {
    const program::Elementwise operation{op, e, e, -1, 2, one};
    std::vector<Label> out(a.values.size() * 4, 99);
    shadow::binary(labels, rule_of(operation), e, a.values.size(), a.operand(), b.operand(one), out.data(), 4);
    return out;
  }
  std::vector<Label> unary(const char* op, std::vector<Label> in, std::size_t from, std::size_t to) {
    const program::Elementwise operation{op, Element::kI32, Element::kI32, -1, 1, false};
    std::vector<Label> out(in.size() / from * to, 99);
    shadow::unary(labels, rule_of(operation), in.size() / from, {in.data(), nullptr, false}, from, out.data(), to);
    return out;
  }
};

TEST_F(TileRules, ArithmeticJoinsItsOperandsElementByElement) {
  EXPECT_THAT(
      binary("arith.addf", words({1, 1, 1}, {0, p, p}), words({1, 1, 1}, {0, 0, q})),
      ElementsAre(0, 0, 0, 0, p, p, p, p, labels.join(p, q), labels.join(p, q), labels.join(p, q), labels.join(p, q)));
  EXPECT_THAT(binary("arith.divsi", words({1}, {0}), words({1}, {q})), Each(q));
}

TEST_F(TileRules, ASplatReachesEveryElement) {
  EXPECT_THAT(binary("arith.addf", words({1, 1}, {0, 0}), words({1}, {q}), Element::kF32, true), Each(q));
}

TEST_F(TileRules, MultiplyingByZeroHelpsOnlyIntegers) {
  EXPECT_THAT(binary("arith.mulf", words({0}), words({5}, {q}), Element::kF32), Each(q));
  EXPECT_THAT(binary("arith.muli", words({0}), words({5}, {q})), Each(0u));
  EXPECT_THAT(binary("arith.muli", words({0}, {p}), words({5}, {q})), Each(labels.join(p, q)));
  EXPECT_THAT(binary("arith.muli", words({1}), words({5}, {q})), Each(q));
}

TEST_F(TileRules, AnAndWithZerosAndAnOrWithOnesAreDecidedByteByByte) {
  EXPECT_THAT(binary("arith.andi", words({0x00ff0000}), words({0}, {q})), ElementsAre(0, 0, q, 0));
  EXPECT_THAT(binary("arith.ori", words({0x00ff0000}), words({0}, {q})), ElementsAre(q, q, 0, q));
  EXPECT_THAT(binary("arith.andi", words({0}, {p}), words({0}, {q})), Each(labels.join(p, q)));
  EXPECT_THAT(binary("arith.xori", words({0}), words({0}, {q})), Each(q));
}

TEST_F(TileRules, OfTruthValuesOneDecidesAnOr) {
  Tile yes{{1}, {}}, unknown{{0}, {q, 0, 0, 0}};
  std::vector<Label> out(1);
  shadow::binary(labels, Rule::kOr, Element::kI1, 1, yes.operand(), unknown.operand(), out.data(), 1);
  EXPECT_EQ(out[0], kDefined);
  shadow::binary(labels, Rule::kAnd, Element::kI1, 1, yes.operand(), unknown.operand(), out.data(), 1);
  EXPECT_EQ(out[0], q);
}

TEST_F(TileRules, ASumCarriesUpwardsOnly) {
  Tile a = words({0});
  a.labels = {0, p, 0, 0};
  EXPECT_THAT(binary("arith.addi", a, words({0})), ElementsAre(0, p, p, p));
  EXPECT_THAT(binary("arith.subi", words({0}), a), ElementsAre(0, p, p, p));
}

TEST_F(TileRules, ShiftsMoveTheBytesTheyMove) {
  Tile a = words({0});
  a.labels = {p, 0, 0, q};
  EXPECT_THAT(binary("arith.shli", a, words({16})), ElementsAre(0, 0, p, 0));
  EXPECT_THAT(binary("arith.shli", a, words({4})), ElementsAre(p, p, 0, q));
  EXPECT_THAT(binary("arith.shrui", a, words({16})), ElementsAre(0, q, 0, 0));
  EXPECT_THAT(binary("arith.shrsi", a, words({16})), ElementsAre(0, q, q, q));
  EXPECT_THAT(binary("arith.shrui", a, words({40})), Each(0u));
  EXPECT_THAT(binary("arith.shrsi", a, words({40})), Each(q));
  EXPECT_THAT(binary("arith.shli", words({1}), words({1}, {p})), Each(p));
}

TEST_F(TileRules, ConversionsOfIntegersKeepTheirBytes) {
  EXPECT_THAT(unary("arith.trunci", {p, 0, 0, q}, 4, 2), ElementsAre(p, 0));
  EXPECT_THAT(unary("arith.extui", {p, q}, 2, 4), ElementsAre(p, q, 0, 0));
  EXPECT_THAT(unary("arith.extsi", {p, q}, 2, 4), ElementsAre(p, q, q, q));
  EXPECT_THAT(unary("arith.truncf", {0, 0, 0, p}, 4, 2), ElementsAre(p, p));
  EXPECT_THAT(unary("math.exp", {0, p, 0, 0}, 4, 4), Each(p));
}

TEST_F(TileRules, ASelectTakesTheChosenSideAndAnUndefinedConditionIsItsOwn) {
  const std::uint8_t condition[] = {1, 0, 1};
  const Label of_condition[] = {0, 0, q}, yes[] = {p, p, p}, no[] = {0, 0, 0};
  std::vector<Label> out(3);
  shadow::select(3, 1, {of_condition, reinterpret_cast<const std::byte*>(condition)}, yes, no, out.data());
  EXPECT_THAT(out, ElementsAre(p, 0, q));
}

TEST_F(TileRules, AReductionTakesInItsRowAndTheAccumulator) {
  const program::Reduction rows{"add", Element::kF32, {2, 3}, {1}}, columns{"add", Element::kF32, {2, 3}, {0}};
  Tile in = words({0, 0, 0, 0, 0, 0}, {0, p, 0, 0, 0, 0}), acc = words({0, 0}, {0, q});
  std::vector<Label> out(8);
  reduce(labels, rows, 4, in.labels.data(), acc.labels.data(), out.data(), 4);
  EXPECT_THAT(out, ElementsAre(p, p, p, p, q, q, q, q));
  out.resize(12);
  reduce(labels, columns, 4, in.labels.data(), nullptr, out.data(), 4);
  EXPECT_THAT(out, ElementsAre(0, 0, 0, 0, p, p, p, p, 0, 0, 0, 0));
}

program::Contraction product(Element element, Element out) {
  program::Contraction c;
  c.rows = 2, c.columns = 2, c.depth = 2;
  c.lhs_stride[1] = 2, c.lhs_stride[2] = 1, c.rhs_stride[1] = 2, c.rhs_stride[2] = 1;
  c.lhs = c.rhs = element, c.out = out;
  return c;
}

TEST_F(TileRules, AMatrixProductTakesInTheRowTheColumnAndTheAccumulator) {
  const Tile lhs = words({1, 1, 1, 1}, {0, p, 0, 0}), rhs = words({1, 1, 1, 1}, {0, 0, 0, q}),
             none = words({1, 1, 1, 1});
  std::vector<Label> out(16);
  const auto first_bytes = [&] { return std::vector<Label>{out[0], out[4], out[8], out[12]}; };
  contract(labels, product(Element::kF32, Element::kF32), lhs.operand(), none.operand(), nullptr, out.data());
  EXPECT_THAT(first_bytes(), ElementsAre(p, p, 0, 0));
  contract(labels, product(Element::kF32, Element::kF32), none.operand(), rhs.operand(), nullptr, out.data());
  EXPECT_THAT(first_bytes(), ElementsAre(0, q, 0, q));
  contract(labels, product(Element::kF32, Element::kF32), none.operand(), none.operand(), rhs.labels.data(),
           out.data());
  EXPECT_THAT(first_bytes(), ElementsAre(0, 0, 0, q));
}

TEST_F(TileRules, OnlyOfIntegersAZeroFactorTakesNothingIn) {
  const Tile lhs = words({1, 1, 1, 1}, {0, p, 0, 0}), rhs = words({1, 1, 0, 1});
  std::vector<Label> out(16);
  contract(labels, product(Element::kF32, Element::kF32), lhs.operand(), rhs.operand(), nullptr, out.data());
  EXPECT_EQ(out[0], p);
  contract(labels, product(Element::kI32, Element::kI32), lhs.operand(), rhs.operand(), nullptr, out.data());
  EXPECT_EQ(out[0], kDefined);
  EXPECT_EQ(out[4], p);
}

}  // namespace
}  // namespace millrace::machine::shadow
