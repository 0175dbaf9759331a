// SPDX-License-Identifier: Apache-2.0
#include "front/index_map.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "program/predicate.h"

namespace millrace::front {

namespace {

using mosaic::Element;

// 0: no integer that is known here.
int bits_of(const mosaic::Type& type) {
  if (type.kind != mosaic::Type::Kind::kScalar) return 0;
  switch (type.element) {
    case Element::kI1: return 1;
    case Element::kI8: return 8;
    case Element::kI16: return 16;
    case Element::kI32: return 32;
    case Element::kI64:
    case Element::kIndex: return 64;
    default: return 0;
  }
}

std::int64_t narrowed(std::uint64_t value, int bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

std::uint64_t zero_extended(std::int64_t value, int bits) {
  return static_cast<std::uint64_t>(value) << (64 - bits) >> (64 - bits);
}

}  // namespace

IndexMap::Code IndexMap::code_of(const mosaic::Op& op) {
  static const std::map<std::string_view, std::pair<Code, std::size_t>> kCodes{
      {"arith.constant", {Code::kConstant, 0}},
      {"arith.index_cast", {Code::kKeep, 1}},
      {"arith.extsi", {Code::kKeep, 1}},
      {"arith.trunci", {Code::kKeep, 1}},
      {"arith.extui", {Code::kZeroExtend, 1}},
      {"arith.select", {Code::kSelect, 3}},
      {"arith.addi", {Code::kAdd, 2}},
      {"arith.subi", {Code::kSubtract, 2}},
      {"arith.muli", {Code::kMultiply, 2}},
      {"arith.minsi", {Code::kMinimum, 2}},
      {"arith.maxsi", {Code::kMaximum, 2}},
      {"arith.andi", {Code::kAnd, 2}},
      {"arith.ori", {Code::kOr, 2}},
      {"arith.xori", {Code::kXor, 2}},
      {"arith.divsi", {Code::kDivide, 2}},
      {"arith.remsi", {Code::kRemainder, 2}},
      {"arith.divui", {Code::kDivideUnsigned, 2}},
      {"arith.remui", {Code::kRemainderUnsigned, 2}},
      {"arith.cmpi", {Code::kCompare, 2}},
  };
  const auto found = kCodes.find(op.name);
  return found == kCodes.end() || found->second.second != op.operands.size() ? Code::kUnknown : found->second.first;
}

IndexMap::IndexMap(const mosaic::Function& function)
    : arguments_(function.body.arguments), values_(function.values.size()) {
  for (const mosaic::Op& op : function.body.ops) {
    if (op.name == "func.return") {
      results_ = op.operands;
      return;
    }
    Step step;
    if (op.results.size() == 1) {
      step.code = code_of(op);
      step.result = op.results[0];
      step.bits = bits_of(function.values[step.result]);
      if (step.bits == 0) step.code = Code::kUnknown;
      if (step.code != Code::kUnknown) std::ranges::copy(op.operands, step.operands.begin());
      if (!op.operands.empty()) step.operand_bits = bits_of(function.values[op.operands[0]]);
      const std::int64_t* number = mosaic::as_integer(op.find(step.code == Code::kCompare ? "predicate" : "value"));
      if (number != nullptr)
        step.number = *number;
      else if (step.code == Code::kConstant || step.code == Code::kCompare)
        step.code = Code::kUnknown;
    }
    steps_.push_back(step);
  }
}

bool IndexMap::evaluate(const std::vector<std::int64_t>& point, std::vector<std::int64_t>& block) {
  if (arguments_.size() < point.size()) return false;
  for (std::size_t i = 0; i < point.size(); ++i) values_[arguments_[i]] = point[i];
  for (const Step& step : steps_)
    if (!take(step)) return false;
  block.clear();
  for (const mosaic::ValueId v : results_) block.push_back(values_[v]);
  return true;
}

bool IndexMap::take(const Step& step) {
  const std::int64_t a = values_[step.operands[0]], b = values_[step.operands[1]];
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const auto put = [&](std::uint64_t value) {
    values_[step.result] = narrowed(value, step.bits);
    return true;
  };
  const auto signed_put = [&](std::int64_t value) { return put(static_cast<std::uint64_t>(value)); };
  switch (step.code) {
    case Code::kUnknown: return false;
    case Code::kConstant: return signed_put(step.number);
    case Code::kKeep: return put(ua);
    case Code::kZeroExtend: return step.operand_bits > 0 && put(zero_extended(a, step.operand_bits));
    case Code::kSelect: return signed_put((a & 1) != 0 ? b : values_[step.operands[2]]);
    case Code::kAdd: return put(ua + ub);
    case Code::kSubtract: return put(ua - ub);
    case Code::kMultiply: return put(ua * ub);
    case Code::kMinimum: return signed_put(std::min(a, b));
    case Code::kMaximum: return signed_put(std::max(a, b));
    case Code::kAnd: return put(ua & ub);
    case Code::kOr: return put(ua | ub);
    case Code::kXor: return put(ua ^ ub);
    // The smallest number by -1 is itself (N9), which C++ leaves open.
    case Code::kDivide: return b != 0 && (b == -1 ? put(0 - ua) : signed_put(a / b));
    case Code::kRemainder: return b != 0 && signed_put(b == -1 ? 0 : a % b);
    case Code::kDivideUnsigned: return b != 0 && put(zero_extended(a, step.bits) / zero_extended(b, step.bits));
    case Code::kRemainderUnsigned: return b != 0 && put(zero_extended(a, step.bits) % zero_extended(b, step.bits));
    case Code::kCompare: return put(program::holds(step.number, a, b) ? 1 : 0);
  }
  return false;
}

}  // namespace millrace::front
