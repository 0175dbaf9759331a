// SPDX-License-Identifier: Apache-2.0
#include "rules/values.h"

#include <cstdlib>
#include <limits>
#include <numeric>

namespace millrace::rules {

using mosaic::Op;
using mosaic::Region;
using mosaic::ValueId;

namespace {

std::int64_t magnitude(std::int64_t value) {
  constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  return value == kLowest ? 1 : std::abs(value);
}

}  // namespace

Values::Values(const mosaic::Function& function)
    : constants_(function.values.size()), divisors_(function.values.size(), 1) {
  visit(function.body);
}

std::int64_t Values::divisor(ValueId value) const {
  return constants_[value] ? magnitude(*constants_[value]) : divisors_[value];
}

void Values::visit(const Region& region) {
  for (const Op& op : region.ops) visit(op);
}

void Values::visit(const Op& op) {
  if (op.name == "scf.for") return visit_loop(op);
  for (const Region& inner : op.regions) visit(inner);
  if (op.name == "scf.if" || op.name == "tpu.region") return visit_branches(op);
  if (op.results.size() != 1) return;
  constants_[op.results[0]] = folded(op);
  divisors_[op.results[0]] = derived(op);
}

// The induction variable is the lower bound plus so many steps; what a loop carries is not known.
void Values::visit_loop(const Op& op) {
  const Region& body = op.regions.at(0);
  if (!body.arguments.empty() && op.operands.size() >= 3)
    divisors_[body.arguments[0]] = std::gcd(divisor(op.operands[0]), divisor(op.operands[2]));
  visit(body);
}

// A result divides by what divides every region's yield.
void Values::visit_branches(const Op& op) {
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    std::int64_t common = 0;
    for (const Region& region : op.regions) {
      const bool yields = !region.ops.empty() && i < region.ops.back().operands.size();
      common = std::gcd(common, yields ? divisor(region.ops.back().operands[i]) : 1);
    }
    divisors_[op.results[i]] = common;
  }
}

std::optional<std::int64_t> Values::folded(const Op& op) const {
  if (op.name == "arith.constant") {
    const std::int64_t* value = mosaic::as_integer(op.find("value"));
    return value ? std::optional(*value) : std::nullopt;
  }
  const auto at = [&](std::size_t i) { return i < op.operands.size() ? constants_[op.operands[i]] : std::nullopt; };
  if (op.name == "arith.index_cast" || op.name == "tpu.assume_multiple" || op.name == "arith.extsi") return at(0);
  const auto a = at(0), b = at(1);
  if (!a || !b) return {};
  std::int64_t result = 0;
  if (op.name == "arith.addi") return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
  if (op.name == "arith.subi") return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
  if (op.name == "arith.muli") return __builtin_mul_overflow(*a, *b, &result) ? std::nullopt : std::optional(result);
  return {};
}

std::int64_t Values::derived(const Op& op) const {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;  // alignments are small: a larger number tells no more
  const auto at = [&](std::size_t i) { return i < op.operands.size() ? divisor(op.operands[i]) : 1; };
  if (op.name == "arith.index_cast" || op.name == "arith.extsi") return at(0);
  if (op.name == "tpu.assume_multiple") {
    const std::int64_t* multiple = mosaic::as_integer(op.find("multiple"));
    const std::int64_t known = at(0);
    if (!multiple || *multiple <= 0 || *multiple > kMost || known == 0) return known;
    return std::lcm(*multiple, known > kMost ? 1 : known);
  }
  if (op.name == "arith.muli") {
    if (at(0) == 0 || at(1) == 0) return 0;
    return at(0) > kMost / at(1) ? std::max(at(0), at(1)) : at(0) * at(1);
  }
  if (op.name == "arith.addi" || op.name == "arith.subi" || op.name == "arith.minsi" || op.name == "arith.maxsi")
    return std::gcd(at(0), at(1));
  if (op.name == "arith.select") return std::gcd(at(1), at(2));
  return 1;
}

}  // namespace millrace::rules
