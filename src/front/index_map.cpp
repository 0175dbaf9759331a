// SPDX-License-Identifier: Apache-2.0
#include "front/index_map.h"

#include <algorithm>

#include "program/predicate.h"

namespace millrace::front {

namespace {

std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(value)); }

}  // namespace

bool IndexMap::evaluate(const std::vector<std::int64_t>& point, std::vector<std::int64_t>& block) {
  const auto& arguments = function_.body.arguments;
  if (arguments.size() < point.size()) return false;
  for (std::size_t i = 0; i < point.size(); ++i) values_[arguments[i]] = point[i];
  for (const mosaic::Op& op : function_.body.ops) {
    if (op.name == "func.return") {
      block.clear();
      for (mosaic::ValueId v : op.operands) block.push_back(values_[v]);
      return true;
    }
    if (!step(op)) return false;
  }
  return false;
}

bool IndexMap::step(const mosaic::Op& op) {
  if (op.results.size() != 1 || function_.values[op.results[0]].kind != mosaic::Type::Kind::kScalar) return false;
  std::int64_t& result = values_[op.results[0]];
  if (op.name == "arith.constant") {
    const std::int64_t* value = mosaic::as_integer(op.find("value"));
    if (value) result = *value;
    return value != nullptr;
  }
  // The prefetch operands are memory, so that whatever loads is refused here.
  const auto operand = [&](std::size_t i) { return values_[op.operands[i]]; };
  const auto bits = [&](std::size_t i) { return static_cast<std::uint64_t>(operand(i)); };
  if (op.operands.size() == 1) {
    const bool bit = function_.values[op.operands[0]].element == mosaic::Element::kI1;
    if (op.name == "arith.extui" && bit)
      result = operand(0) & 1;
    else if (op.name == "arith.index_cast" || op.name == "arith.extsi" || op.name == "arith.trunci")
      result = operand(0);
    else
      return false;
    return true;
  }
  if (op.name == "arith.select" && op.operands.size() == 3) {
    result = (operand(0) & 1) ? operand(1) : operand(2);
    return true;
  }
  if (op.operands.size() != 2) return false;
  const std::int64_t a = operand(0), b = operand(1);
  if (op.name == "arith.addi")
    result = wrapped(bits(0) + bits(1));
  else if (op.name == "arith.subi")
    result = wrapped(bits(0) - bits(1));
  else if (op.name == "arith.muli")
    result = wrapped(bits(0) * bits(1));
  else if (op.name == "arith.minsi")
    result = std::min(a, b);
  else if (op.name == "arith.maxsi")
    result = std::max(a, b);
  else if (op.name == "arith.andi")
    result = a & b;
  else if (op.name == "arith.ori")
    result = a | b;
  else if (op.name == "arith.xori")
    result = a ^ b;
  else if (op.name == "arith.divsi" && b != 0)
    result = wrapped(static_cast<std::uint64_t>(a / b));
  else if (op.name == "arith.remsi" && b != 0)
    result = a % b;
  else if (op.name == "arith.divui" && b != 0)
    result = wrapped(static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b));
  else if (op.name == "arith.remui" && b != 0)
    result = wrapped(static_cast<std::uint32_t>(a) % static_cast<std::uint32_t>(b));
  else if (op.name == "arith.cmpi") {
    const std::int64_t* predicate = mosaic::as_integer(op.find("predicate"));
    if (!predicate) return false;
    result = program::holds(*predicate, a, b);
  } else {
    return false;
  }
  return true;
}

}  // namespace millrace::front
