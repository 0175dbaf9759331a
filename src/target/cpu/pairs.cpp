// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/pairs.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

#include <algorithm>

namespace millrace::cpu {

namespace arith = mlir::arith;
namespace LLVM = mlir::LLVM;
using mlir::Value;

namespace {

constexpr std::int64_t kWords = 16;  // of a vector

bool computes_bf16(const Plan& plan, const Recipe::Step& s) {
  if (s.node->kind != Node::Kind::kElementwise) return false;
  const program::Elementwise& e = plan.program.elementwise[s.node->by->aux];
  return e.from == Element::kBF16 || e.to == Element::kBF16;
}

class PairWriter {
 public:
  PairWriter(const Plan& plan, const Recipe& recipe, const Layout& target, const std::vector<Layout>& leaves,
             const std::vector<Value>& scalars, mlir::OpBuilder& b, mlir::Location at)
      : plan_(plan), recipe_(recipe), target_(target), leaves_(leaves), b_(b), at_(at) {
    for (const Value s : scalars) scalars_.push_back(splat(s));
  }

  // The loops over dimension d, and those behind it.
  void write(std::size_t d, const std::vector<Value>& addresses) {
    const bool last = d + 1 == target_.size();
    auto loop = mlir::scf::ForOp::create(b_, at_, index(0), index(target_[d].size), index(last ? 2 * kWords : 1));
    const mlir::OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    std::vector<Value> here;
    for (std::size_t k = 0; k < addresses.size(); ++k)
      here.push_back(forward(addresses[k], loop.getInductionVar(), 2 * layout(k)[d].stride));
    if (last)
      vector(here);
    else
      write(d + 1, here);
  }

 private:
  const Layout& layout(std::size_t k) const { return k < leaves_.size() ? leaves_[k] : target_; }
  Value index(std::int64_t v) { return arith::ConstantIndexOp::create(b_, at_, v); }
  Value i64(std::int64_t v) { return constant(b_, at_, v, b_.getI64Type()); }
  mlir::Type of(unsigned bits) { return mlir::VectorType::get({kWords}, b_.getIntegerType(bits)); }
  Value forward(Value pointer, Value steps, std::int64_t bytes) {
    if (bytes == 0) return pointer;
    const Value n = arith::IndexCastOp::create(b_, at_, b_.getI64Type(), steps);
    const Value far = arith::MulIOp::create(b_, at_, n, i64(bytes));
    return LLVM::GEPOp::create(b_, at_, pointer.getType(), b_.getI8Type(), pointer, llvm::ArrayRef<LLVM::GEPArg>{far});
  }
  Value splat(Value v) {
    const Value none = LLVM::PoisonOp::create(b_, at_, mlir::VectorType::get({kWords}, v.getType()));
    const Value first = LLVM::InsertElementOp::create(b_, at_, none, v, i64(0));
    return LLVM::ShuffleVectorOp::create(b_, at_, first, none, std::vector<std::int32_t>(kWords, 0));
  }

  void vector(const std::vector<Value>& places) {
    const Value sixteen = constant(b_, at_, std::int64_t{16}, of(32));
    std::vector<Value> low, high;  // the first of each pair, and the second
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      if (leaves_[k].back().stride == 0) {
        low.push_back(splat(LLVM::LoadOp::create(b_, at_, b_.getI16Type(), places[k], 2)));
        high.push_back(low.back());
        continue;
      }
      const Value words = LLVM::LoadOp::create(b_, at_, of(32), places[k], 2);
      low.push_back(arith::TruncIOp::create(b_, at_, of(16), words));
      high.push_back(arith::TruncIOp::create(b_, at_, of(16), arith::ShRUIOp::create(b_, at_, words, sixteen)));
    }
    const Value first = arith::ExtUIOp::create(b_, at_, of(32), element(low));
    const Value second =
        arith::ShLIOp::create(b_, at_, arith::ExtUIOp::create(b_, at_, of(32), element(high)), sixteen);
    LLVM::StoreOp::create(b_, at_, arith::OrIOp::create(b_, at_, first, second), places.back(), 2);
  }

  Value element(const std::vector<Value>& leaves) {
    Arithmetic arithmetic(b_, at_, kWords);
    Lane lane = compute_lane(plan_, recipe_, arithmetic, leaves, scalars_);
    return arithmetic.raw(lane);
  }

  const Plan& plan_;
  const Recipe& recipe_;
  const Layout& target_;
  const std::vector<Layout>& leaves_;
  mlir::OpBuilder& b_;
  mlir::Location at_;
  std::vector<Value> scalars_;  // in each lane
};

}  // namespace

bool goes_in_pairs(const Plan& plan, const Recipe& recipe, unsigned bytes, const Layout& target,
                   const std::vector<Layout>& leaves) {
  if (bytes != 2 || target.empty() || target.back().stride != 1 || target.back().size % (2 * kWords) != 0) return false;
  const auto known = [](const Layout& l) { return std::ranges::all_of(l, [](const Dim& d) { return d.symbol < 0; }); };
  if (!known(target)) return false;
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (recipe.leaves[k].node->bytes != 2 || !known(leaves[k])) return false;
    if (leaves[k].back().stride != 0 && leaves[k].back().stride != 1) return false;
  }
  return std::ranges::any_of(recipe.steps, [&](const Recipe::Step& s) { return computes_bf16(plan, s); });
}

void write_pairs(const Plan& plan, const Recipe& recipe, const Layout& target, const std::vector<Layout>& leaves,
                 const std::vector<Value>& addresses, const std::vector<Value>& scalars, mlir::OpBuilder& builder,
                 mlir::Location at) {
  PairWriter(plan, recipe, target, leaves, scalars, builder, at).write(0, addresses);
}

}  // namespace millrace::cpu
