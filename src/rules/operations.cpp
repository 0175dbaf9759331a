// SPDX-License-Identifier: Apache-2.0
// Element types and operations that the compiler has no code for. What is not in these tables is not judged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "rules/judge.h"

namespace millrace::rules {

namespace {

using mosaic::Element;
using mosaic::Op;
using mosaic::Type;

template <std::size_t N>
bool among(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Integer arithmetic on vectors narrower than 32 bits.
constexpr std::array<std::string_view, 8> kNoNarrow = {"arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui",
                                                       "arith.shli",  "arith.shrsi", "arith.shrui", "arith.divsi"};
constexpr std::array<std::string_view, 3> kNoBytes = {"arith.addi", "arith.subi", "arith.muli"};
constexpr std::array<std::string_view, 2> kNoOldShorts = {"arith.subi", "arith.muli"};
// Order of unsigned vectors, of any width.
constexpr std::array<std::string_view, 2> kNoUnsigned = {"arith.maxui", "arith.minui"};
constexpr std::array<std::string_view, 4> kNoSuch = {"math.fma", "math.cbrt", "math.erfc", "affine.apply"};

bool orders(const Op& op) {  // equality of narrow integers is fine
  const std::int64_t* predicate = mosaic::as_integer(op.find("predicate"));
  return op.name == "arith.cmpi" && predicate && *predicate > 1;
}

// Why the operation on vectors of this element is refused; empty where nothing is known against it.
std::string narrow(const Op& op, Element element, int generation) {
  const bool bytes = element == Element::kI8, shorts = element == Element::kI16;
  if (!bytes && !shorts) return "";
  const bool old = generation < 6;
  const bool refused = among(kNoNarrow, op.name) || (bytes && among(kNoBytes, op.name)) ||
                       (shorts && old && among(kNoOldShorts, op.name)) || (orders(op) && (bytes || old));
  if (!refused) return "";
  return fmt::format("{} has no code for vectors of {}-bit integers", op.name, bytes ? 8 : 16);
}

bool is_float8(Element e) { return e == Element::kF8E5M2 || e == Element::kF8E4M3FN || e == Element::kF8E4M3B11FNUZ; }

bool computes(std::string_view name) {
  constexpr std::array<std::string_view, 6> kMoves = {"arith.constant", "arith.extf",   "arith.truncf",
                                                      "arith.bitcast",  "arith.sitofp", "arith.fptosi"};
  return (name.starts_with("arith.") || name.starts_with("math.")) && !among(kMoves, name);
}

std::string refused(const Judge& judge, const Op& op) {
  if (among(kNoSuch, op.name)) return fmt::format("the compiler has no {}", op.name);
  if (op.operands.empty()) return "";
  const Type& type = judge.type_of(op.operands[0]);
  if (type.kind != Type::Kind::kVector || !computes(op.name)) {
    const bool wide = type.kind == Type::Kind::kScalar && type.element == Element::kI64 && computes(op.name);
    return wide && !op.name.ends_with("trunci") ? fmt::format("{} has no code for 64-bit integers", op.name) : "";
  }
  if (type.element == Element::kI64 || type.element == Element::kF64)
    return fmt::format("{} has no code for 64-bit elements", op.name);
  if (among(kNoUnsigned, op.name)) return fmt::format("{} has no code for vectors", op.name);
  if (is_float8(type.element)) return fmt::format("{} has no code for 8-bit floats", op.name);
  return narrow(op, type.element, judge.chip().generation);
}

// Half precision cannot even be loaded.
bool touches_f16(const Judge& judge, const Op& op) {
  const bool load = op.name == "vector.load" || op.name == "tpu.vector_load" || op.name == "tpu.strided_load";
  const bool store = op.name == "vector.store" || op.name == "tpu.vector_store" || op.name == "tpu.strided_store";
  if (!load && !store) return false;
  const Type& value = judge.type_of(load ? op.results[0] : op.operands[0]);
  return value.kind == Type::Kind::kVector && value.element == Element::kF16;
}

}  // namespace

void judge_operations(Judge& judge) {
  judge.each([&](const Op& op) {
    if (touches_f16(judge, op))
      judge.report(op.location, "target.type", "", "vectors of f16 cannot be loaded or stored", "use bf16 or f32");
    if (std::string why = refused(judge, op); !why.empty())
      judge.report(op.location, "target.operation", "", std::move(why), "cast to i32 or f32, compute there, cast back");
  });
}

}  // namespace millrace::rules
