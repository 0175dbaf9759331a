// SPDX-License-Identifier: Apache-2.0
// Reductions of the last dimensions, in the simulator's order (N12): sixteen partial results are the lanes of a vector,
// which then is folded in halves. What is reduced is computed on the way, and leaves no trace in memory.
#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/BuiltinOps.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "target/cpu/form.h"

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;

namespace {

constexpr std::int64_t kLanes = 16;  // partial results (N12)

bool is_real(Element e) { return e == Element::kF32 || e == Element::kBF16 || e == Element::kF16; }

// How a kind folds: as machine/tile/folds.h has it, on numbers of one type, alone or as vectors.
class Fold {
 public:
  Fold(const program::Reduction& r, mlir::OpBuilder& b, mlir::Location at)
      : kind_(r.kind), element_(r.element), b_(b), at_(at), real_(is_real(r.element)) {}

  static bool knows(const program::Reduction& r) {
    constexpr std::array<std::string_view, 4> kFloats = {"add", "mul", "maximumf", "minimumf"};
    constexpr std::array<std::string_view, 9> kIntegers = {"add",   "mul", "maxsi", "minsi", "maxui",
                                                           "minui", "and", "or",    "xor"};
    if (is_real(r.element)) return std::ranges::find(kFloats, r.kind) != kFloats.end();
    const bool integer = r.element == Element::kI8 || r.element == Element::kI16 || r.element == Element::kI32;
    return integer && std::ranges::find(kIntegers, r.kind) != kIntegers.end();
  }

  Value start() {
    if (sums()) return constant(b_, at_, kind_ == "add" ? -0.0 : 1.0, vector(b_.getF64Type(), kLanes));
    std::uint32_t v = 0;
    if (kind_ == "mul") v = 1;
    if (kind_ == "and" || kind_ == "minui") v = ~std::uint32_t{0};
    if (kind_ == "maximumf" || kind_ == "maxsi") v = 0x80000000u;
    if (kind_ == "minimumf" || kind_ == "minsi") v = 0x7fffffffu;
    return word(v, kLanes);
  }

  // From what arithmetic sees of an element to what is carried.
  Value carried(Arithmetic& arithmetic, Lane& lane, std::int64_t lanes) {
    const Value v = arithmetic.see(lane, element_);
    if (sums()) return arith::ExtFOp::create(b_, at_, vector(b_.getF64Type(), lanes), v);
    if (real_) return ordered(v, lanes);
    if (element_ == Element::kI32) return v;
    const mlir::Type to = vector(b_.getI32Type(), lanes);
    if (kind_.ends_with("si")) return arith::ExtSIOp::create(b_, at_, to, v);
    return arith::ExtUIOp::create(b_, at_, to, v);
  }

  Value step(Value a, Value b) {
    if (sums()) {
      if (kind_ == "add") return arith::AddFOp::create(b_, at_, a, b);
      return arith::MulFOp::create(b_, at_, a, b);
    }
    if (kind_ == "add") return arith::AddIOp::create(b_, at_, a, b);
    if (kind_ == "mul") return arith::MulIOp::create(b_, at_, a, b);
    if (kind_ == "and") return arith::AndIOp::create(b_, at_, a, b);
    if (kind_ == "or") return arith::OrIOp::create(b_, at_, a, b);
    if (kind_ == "xor") return arith::XOrIOp::create(b_, at_, a, b);
    if (kind_ == "maxui") return arith::MaxUIOp::create(b_, at_, a, b);
    if (kind_ == "minui") return arith::MinUIOp::create(b_, at_, a, b);
    if (kind_.starts_with("max")) return arith::MaxSIOp::create(b_, at_, a, b);
    return arith::MinSIOp::create(b_, at_, a, b);
  }

  // The bits of the result.
  Value stored(Arithmetic& arithmetic, Value v) {
    Lane lane{{}, {}, element_, real_};
    if (sums()) {
      lane.seen = arith::TruncFOp::create(b_, at_, b_.getF32Type(), v);
    } else if (real_) {
      lane.seen = arith::BitcastOp::create(b_, at_, b_.getF32Type(), turned(v, 0));
    } else {
      const mlir::Type bits = b_.getIntegerType(raw_bits(element_));
      return raw_bits(element_) == 32 ? v : arith::TruncIOp::create(b_, at_, bits, v).getResult();
    }
    return arithmetic.raw(lane);
  }

 private:
  bool sums() const { return real_ && (kind_ == "add" || kind_ == "mul"); }
  static mlir::Type vector(mlir::Type type, std::int64_t lanes) {
    return lanes == 0 ? type : mlir::VectorType::get({lanes}, type);
  }
  Value word(std::uint32_t v, std::int64_t lanes) {
    return constant(b_, at_, std::int64_t{static_cast<std::int32_t>(v)}, vector(b_.getI32Type(), lanes));
  }

  // Integers in the order of the floats, -0 below +0; its own inverse.
  Value turned(Value bits, std::int64_t lanes) {
    const Value sign = arith::ShRSIOp::create(b_, at_, bits, word(31, lanes));
    return arith::XOrIOp::create(b_, at_, bits, arith::ShRUIOp::create(b_, at_, sign, word(1, lanes)));
  }
  // NaN lies where it wins.
  Value ordered(Value v, std::int64_t lanes) {
    const Value bits = arith::BitcastOp::create(b_, at_, vector(b_.getI32Type(), lanes), v);
    const Value magnitude = arith::AndIOp::create(b_, at_, bits, word(0x7fffffffu, lanes));
    const Value is_nan = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::ugt, magnitude, word(0x7f800000u, lanes));
    const Value nan = word(kind_ == "maximumf" ? 0x7fc00000u : 0xffc00000u, lanes);
    return turned(arith::SelectOp::create(b_, at_, is_nan, nan, bits), lanes);
  }

  const std::string kind_;
  const Element element_;
  mlir::OpBuilder& b_;
  mlir::Location at_;
  const bool real_;
};

// How many results of how many elements each; none where the reduced dimensions are not the last ones.
struct Rows {
  std::int64_t results = 1, length = 1;
};
std::optional<Rows> rows_of(const program::Reduction& r) {
  Rows rows;
  const std::size_t kept = r.shape.size() - r.dimensions.size();
  for (std::size_t d = 0; d < r.shape.size(); ++d) {
    const bool reduced = std::ranges::find(r.dimensions, static_cast<std::int64_t>(d)) != r.dimensions.end();
    if (reduced != (d >= kept)) return {};
    (reduced ? rows.length : rows.results) *= r.shape[d];
  }
  if (rows.results == 0 || rows.length == 0) return {};
  return rows;
}

}  // namespace

// Writes the function of one reduction: loops over the results, each of which steps along its elements.
class Loops::FoldWriter {
 public:
  FoldWriter(Loops& loops, const Form& form, const program::Reduction& r, bool one_start)
      : l_(loops), b_(loops.b_), at_(loops.at_), form_(form), r_(r), one_start_(one_start), fold_(r, b_, at_) {}

  void write(const std::string& name) {
    const mlir::OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToEnd(mlir::cast<mlir::ModuleOp>(l_.module_).getBody());
    const mlir::Type ptr = LLVM::LLVMPointerType::get(b_.getContext());
    std::vector<mlir::Type> types{ptr, one_start_ ? b_.getIntegerType(raw_bits(r_.element)) : ptr};
    types.insert(types.end(), form_.leaves.size(), ptr);
    for (const Value s : form_.recipe.scalars) types.push_back(s.getType());
    auto function = mlir::func::FuncOp::create(b_, at_, name, b_.getFunctionType(types, {}));
    function.setPrivate();
    mlir::Block* block = function.addEntryBlock();
    b_.setInsertionPointToStart(block);
    unsigned next = 2;
    for (std::size_t k = 0; k < form_.leaves.size(); ++k) leaves_.push_back(block->getArgument(next++));
    for (std::size_t k = 0; k < form_.recipe.scalars.size(); ++k) scalars_.push_back(splat(block->getArgument(next++)));
    results(0, block->getArgument(0), block->getArgument(1), leaves_);
    mlir::func::ReturnOp::create(b_, at_);
  }

 private:
  Value index(std::int64_t v) { return arith::ConstantIndexOp::create(b_, at_, v); }
  Value i64(std::int64_t v) { return arith::ConstantOp::create(b_, at_, b_.getI64IntegerAttr(v)); }
  Value forward(Value pointer, Value steps, std::int64_t bytes) {  // steps: an index
    if (bytes == 0) return pointer;
    const Value n = arith::IndexCastOp::create(b_, at_, b_.getI64Type(), steps);
    const Value far = arith::MulIOp::create(b_, at_, n, i64(bytes));
    return LLVM::GEPOp::create(b_, at_, pointer.getType(), b_.getI8Type(), pointer, llvm::ArrayRef<LLVM::GEPArg>{far});
  }
  Value splat(Value v) {
    const auto type = mlir::VectorType::get({kLanes}, v.getType());
    const Value none = LLVM::PoisonOp::create(b_, at_, type);
    const Value first = LLVM::InsertElementOp::create(b_, at_, none, v, i64(0));
    return LLVM::ShuffleVectorOp::create(b_, at_, first, none, std::vector<std::int32_t>(kLanes, 0));
  }

  // The loops over dimension d of the results, and those behind it.
  void results(std::size_t d, Value out, Value start, const std::vector<Value>& leaves) {
    const Layout& target = form_.target;
    if (d + 1 == target.size()) return one(out, start, leaves);
    auto loop = mlir::scf::ForOp::create(b_, at_, index(0), index(target[d].size), index(1));
    const mlir::OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    const Value at = loop.getInductionVar();
    const std::int64_t bytes = raw_bits(r_.element) / 8;
    std::vector<Value> here;
    for (std::size_t k = 0; k < leaves.size(); ++k)
      here.push_back(
          forward(leaves[k], at, form_.leaves[k][d].stride * std::int64_t{form_.recipe.leaves[k].node->bytes}));
    results(d + 1, forward(out, at, target[d].stride * bytes),
            one_start_ ? start : forward(start, at, target[d].stride * bytes), here);
  }

  void one(Value out, Value start, const std::vector<Value>& leaves) {
    const std::int64_t length = form_.target.back().size, whole = length / kLanes * kLanes;
    Value lanes = fold_.start();
    if (whole > 0) {
      auto loop = mlir::scf::ForOp::create(b_, at_, index(0), index(whole), index(kLanes), lanes);
      const mlir::OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(loop.getBody());
      const Value v = elements(leaves, loop.getInductionVar(), kLanes);
      mlir::scf::YieldOp::create(b_, at_, fold_.step(loop.getRegionIterArg(0), v));
      lanes = loop.getResult(0);
    }
    if (length > whole) {
      const Value more = fold_.step(lanes, elements(leaves, index(whole), length - whole));
      lanes = arith::SelectOp::create(b_, at_, mask(length - whole), more, lanes);
    }
    Arithmetic arithmetic(b_, at_);
    const mlir::Type bits = b_.getIntegerType(raw_bits(r_.element));
    Lane begin{one_start_ ? start : LLVM::LoadOp::create(b_, at_, bits, start, raw_bits(r_.element) / 8).getResult(),
               {}};
    const Value sum = fold_.step(fold_.carried(arithmetic, begin, 0), halves(lanes));
    LLVM::StoreOp::create(b_, at_, fold_.stored(arithmetic, sum), out, raw_bits(r_.element) / 8);
  }

  Value mask(std::int64_t n) {
    llvm::SmallVector<bool> some(kLanes, false);
    std::fill_n(some.begin(), n, true);
    const auto type = mlir::VectorType::get({kLanes}, b_.getI1Type());
    return arith::ConstantOp::create(b_, at_, mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(some)));
  }

  // The carried values of sixteen elements from `from` on, of which only the first n are read.
  Value elements(const std::vector<Value>& leaves, Value from, std::int64_t n) {
    std::vector<Value> vectors;
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const unsigned bytes = form_.recipe.leaves[k].node->bytes;
      const mlir::Type bits = b_.getIntegerType(8 * bytes);
      const std::int64_t stride = form_.leaves[k].back().stride;
      const Value place = forward(leaves[k], from, stride * bytes);
      const auto type = mlir::VectorType::get({kLanes}, bits);
      if (stride == 0) {
        vectors.push_back(splat(LLVM::LoadOp::create(b_, at_, bits, place, bytes)));
      } else if (n == kLanes) {
        vectors.push_back(LLVM::LoadOp::create(b_, at_, type, place, bytes));
      } else {
        const Value zeros = arith::ConstantOp::create(b_, at_, b_.getZeroAttr(type));
        vectors.push_back(
            LLVM::MaskedLoadOp::create(b_, at_, type, place, mask(n), zeros, b_.getI32IntegerAttr(bytes)));
      }
    }
    Arithmetic arithmetic(b_, at_, kLanes);
    Lane lane = compute_lane(l_.plan_, form_.recipe, arithmetic, vectors, scalars_);
    return fold_.carried(arithmetic, lane, kLanes);
  }

  Value halves(Value lanes) {
    for (std::int64_t half = kLanes / 2; half > 0; half /= 2) {
      std::vector<std::int32_t> low(static_cast<std::size_t>(half)), high(low.size());
      std::iota(low.begin(), low.end(), 0), std::iota(high.begin(), high.end(), static_cast<std::int32_t>(half));
      const Value a = LLVM::ShuffleVectorOp::create(b_, at_, lanes, lanes, low);
      const Value b = LLVM::ShuffleVectorOp::create(b_, at_, lanes, lanes, high);
      lanes = fold_.step(a, b);
    }
    return LLVM::ExtractElementOp::create(b_, at_, lanes, i64(0));
  }

  Loops& l_;
  mlir::OpBuilder& b_;
  mlir::Location at_;
  const Form& form_;
  const program::Reduction& r_;
  const bool one_start_;
  Fold fold_;
  std::vector<Value> leaves_, scalars_;  // a scalar in each lane
};

bool Loops::folds(const program::Reduction& r) { return Fold::knows(r) && rows_of(r).has_value(); }

bool Loops::fold(const NodePtr& operand, const program::Reduction& r, Value out, Value start, NodePtr& stuck) {
  const Rows rows = *rows_of(r);
  Form form;
  if (!recipe_of(plan_, operand, form.recipe, stuck)) return false;
  const Layout results{{rows.results, 1, -1}, {rows.length, 0, -1}};
  Cuts cuts;
  add_cuts(results, cuts);
  for (const Recipe::Leaf& l : form.recipe.leaves) add_cuts(l.layout, cuts);
  const auto target = cut(results, cuts);
  if (!target) return false;
  std::vector<Layout> layouts{*target};
  for (const Recipe::Leaf& l : form.recipe.leaves) {
    const auto pieces = cut(l.layout, cuts);
    if (!pieces) return false;
    layouts.push_back(*pieces);
  }
  join(layouts);
  // One run of elements a result, in each leaf one after the other, or the same for all.
  if (rows.length == 1) {
    for (Layout& l : layouts) l.push_back({1, 0, -1});
  }
  const auto reduced = std::ranges::count_if(layouts[0], [](const Dim& d) { return d.stride == 0; });
  if (reduced != 1 || layouts[0].back().stride != 0) return false;
  for (const Layout& l : layouts)
    for (const Dim& d : l)
      if (d.symbol >= 0 || (&d == &l.back() && d.stride != 0 && d.stride != 1)) return false;
  form.bytes = raw_bits(r.element) / 8, form.target = layouts[0];
  form.leaves.assign(layouts.begin() + 1, layouts.end());
  form.is_target.assign(form.leaves.size(), false);
  const bool one_start = !mlir::isa<LLVM::LLVMPointerType>(start.getType());
  std::vector<Value> arguments{out, start};
  for (const Recipe::Leaf& l : form.recipe.leaves) arguments.push_back(address_of(l));
  arguments.insert(arguments.end(), form.recipe.scalars.begin(), form.recipe.scalars.end());
  const std::string key =
      fmt::format("fold {} {} {} {}", r.kind, static_cast<int>(r.element), one_start, form.text(plan_));
  const auto [entry, fresh] = made_.try_emplace(key, fmt::format("fold_{}", made_.size()));
  if (fresh) FoldWriter(*this, form, r, one_start).write(entry->second);
  call(entry->second, arguments);
  return true;
}

}  // namespace millrace::cpu
