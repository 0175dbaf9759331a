// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/tiles.h"

#include <fmt/format.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/Dialect/LLVMIR/LLVMDialect.h>
#include <mlir/Dialect/Linalg/IR/Linalg.h>
#include <mlir/Dialect/MemRef/IR/MemRef.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/BuiltinOps.h>

#include "target/cpu/form.h"
#include "target/cpu/pairs.h"

namespace millrace::cpu {

namespace LLVM = mlir::LLVM;
using mlir::Value;
using program::Op;

namespace {

std::string text_of(const Layout& l) {
  std::string text;
  for (const Dim& d : l)
    text += fmt::format("{}:{}{}", d.size, d.stride, d.symbol < 0 ? " " : fmt::format("*{} ", d.symbol));
  return text;
}

std::string text_of(const Plan& plan, const Recipe::Step& s) {
  const Node& n = *s.node;
  std::string text = fmt::format("{}.{} ", static_cast<int>(n.kind), n.bytes);
  if (n.kind == Node::Kind::kElementwise) {
    const program::Elementwise& e = plan.program.elementwise[n.by->aux];
    text += fmt::format("{} {} {} {} ", e.op, static_cast<int>(e.from), static_cast<int>(e.to), e.predicate);
  }
  if (n.leaf()) text += fmt::format("leaf {} ", s.leaf);
  for (const std::size_t o : s.operands) text += fmt::format("{} ", o);
  return text;
}

}  // namespace

// Everything that the function depends on: equal texts, equal functions.
std::string Loops::Form::text(const Plan& plan) const {
  std::string text = fmt::format("{} {}{}\n", bytes, text_of(target), apart ? "apart" : "");
  for (std::size_t k = 0; k < leaves.size(); ++k)
    text += fmt::format("{} {}{}\n", recipe.leaves[k].node->bytes, text_of(leaves[k]), is_target[k] ? "target" : "");
  for (const Recipe::Step& s : recipe.steps) text += text_of(plan, s) + "\n";
  return text;
}

// Whether the target may be written while the leaves are read: each lies elsewhere, or exactly where the target does.
bool Loops::in_place(const Recipe& recipe, const Target& to, Form& form) const {
  for (std::size_t k = 0; k < recipe.leaves.size(); ++k) {
    const Node& n = *recipe.leaves[k].node;
    bool same = false;
    if (n.kind == Node::Kind::kFrame) {
      same = n.slot == to.slot;
    } else if (to.slot == program::kNoSlot && plan_.root[n.memory] == plan_.root[to.memory]) {
      same = same_place(plan_.program, n.access, to.access);
      if (!same && !apart(plan_.program, n.access, to.access)) return false;
    }
    if (same && (n.bytes != to.bytes || recipe.leaves[k].offset != 0)) return false;
    form.is_target.push_back(same);
  }
  return true;
}

bool Loops::fill(const NodePtr& root, const Target& to, NodePtr& stuck) {
  Form form;
  if (!recipe_of(plan_, root, form.recipe, stuck)) return false;
  if (!in_place(form.recipe, to, form)) return false;
  form.bytes = to.bytes;
  Cuts cuts;
  add_cuts(to.layout, cuts);
  for (const Recipe::Leaf& l : form.recipe.leaves) add_cuts(l.layout, cuts);
  std::vector<Layout> layouts;
  const auto target = cut(to.layout, cuts);
  if (!target) return false;
  layouts.push_back(*target);
  for (const Recipe::Leaf& l : form.recipe.leaves) {
    const auto pieces = cut(l.layout, cuts);
    if (!pieces) {
      if (l.node->kind == Node::Kind::kMemory) stuck = l.node;
      return false;
    }
    layouts.push_back(*pieces);
  }
  join(layouts);
  for (std::size_t k = 0; k < form.is_target.size(); ++k) {
    if (!form.is_target[k]) continue;
    for (std::size_t d = 0; d < layouts[0].size(); ++d)
      if (layouts[k + 1][d].stride != layouts[0][d].stride || layouts[k + 1][d].symbol != layouts[0][d].symbol)
        return false;
  }
  std::set<int> symbols;
  for (const Layout& l : layouts)
    for (const Dim& d : l)
      if (d.symbol >= 0) symbols.insert(d.symbol);
  form.symbols.assign(symbols.begin(), symbols.end());
  form.target = layouts[0];
  form.leaves.assign(layouts.begin() + 1, layouts.end());
  std::vector<Value> arguments{to.address};
  for (std::size_t k = 0; k < form.leaves.size(); ++k) {
    if (form.is_target[k]) continue;
    arguments.push_back(address_of(form.recipe.leaves[k]));
  }
  for (const Value s : form.recipe.scalars) arguments.push_back(s);
  for (const int s : form.symbols) arguments.push_back(around_.symbol(s));
  if (to.stream && form.apart)
    call_either(to.address, form, arguments);
  else
    call(function_for(form, "tile_"), arguments);
  return true;
}

Value Loops::address_of(const Recipe::Leaf& l) {
  const Value address = l.node->kind == Node::Kind::kFrame ? around_.frame(l.node->slot) : l.node->value;
  if (l.offset == 0) return address;
  return LLVM::GEPOp::create(b_, at_, address.getType(), b_.getI8Type(), address,
                             llvm::ArrayRef<LLVM::GEPArg>{static_cast<std::int32_t>(l.offset * l.node->bytes)});
}

void Loops::call(const std::string& function, const std::vector<Value>& arguments) {
  mlir::func::CallOp::create(b_, at_, function, mlir::TypeRange{}, arguments);
}

void Loops::call_either(Value address, const Form& form, const std::vector<Value>& arguments) {
  namespace arith = mlir::arith;
  namespace cf = mlir::cf;
  const mlir::Type i64 = b_.getI64Type();
  const auto constant = [&](std::int64_t v) {
    return arith::ConstantOp::create(b_, at_, b_.getI64IntegerAttr(v)).getResult();
  };
  const Value place = LLVM::PtrToIntOp::create(b_, at_, i64, address);
  const Value rest = arith::AndIOp::create(b_, at_, place, constant(kStreamAlignment - 1));
  const Value aligned = arith::CmpIOp::create(b_, at_, arith::CmpIPredicate::eq, rest, constant(0));
  mlir::Block* here = b_.getInsertionBlock();
  auto* past = new mlir::Block;
  auto* plain = new mlir::Block;
  auto* on = new mlir::Block;
  auto& blocks = here->getParent()->getBlocks();
  for (mlir::Block* block : {on, plain, past}) blocks.insertAfter(here->getIterator(), block);
  cf::CondBranchOp::create(b_, at_, aligned, past, plain);
  for (mlir::Block* block : {past, plain}) {
    b_.setInsertionPointToEnd(block);
    call(function_for(form, block == past ? kStreamPrefix : "tile_"), arguments);
    cf::BranchOp::create(b_, at_, on);
  }
  b_.setInsertionPointToEnd(on);
}

std::string Loops::function_for(const Form& form, const char* prefix) {
  const auto [entry, fresh] = made_.try_emplace(prefix + form.text(plan_), fmt::format("{}{}", prefix, made_.size()));
  if (fresh) write_function(entry->second, form);
  return entry->second;
}

// A memref of the dimensions that are stepped through.
Value Loops::memref(Value pointer, const Layout& layout, unsigned bytes, const std::map<int, Value>& symbols) {
  std::vector<std::int64_t> sizes, strides;
  std::vector<Value> stride_values;
  const mlir::Type i64 = b_.getI64Type();
  const auto constant = [&](std::int64_t v) {
    return LLVM::ConstantOp::create(b_, at_, i64, b_.getI64IntegerAttr(v)).getResult();
  };
  for (const Dim& d : layout) {
    if (d.stride == 0) continue;
    sizes.push_back(d.size);
    strides.push_back(d.symbol < 0 ? d.stride : mlir::ShapedType::kDynamic);
    Value stride = constant(d.stride);
    if (d.symbol >= 0) stride = LLVM::MulOp::create(b_, at_, stride, symbols.at(d.symbol));
    stride_values.push_back(stride);
  }
  const mlir::Type ptr = pointer.getType();
  std::vector<mlir::Type> fields{ptr, ptr, i64};
  const auto rank = static_cast<unsigned>(sizes.size());
  if (rank > 0) fields.insert(fields.end(), 2, LLVM::LLVMArrayType::get(i64, rank));
  Value d = LLVM::UndefOp::create(b_, at_, LLVM::LLVMStructType::getLiteral(b_.getContext(), fields));
  const auto put = [&](Value v, llvm::ArrayRef<std::int64_t> at) {
    d = LLVM::InsertValueOp::create(b_, at_, d, v, at);
  };
  put(pointer, {0}), put(pointer, {1}), put(constant(0), {2});
  for (unsigned k = 0; k < rank; ++k) put(constant(sizes[k]), {3, k}), put(stride_values[k], {4, k});
  const auto type = mlir::MemRefType::get(sizes, b_.getIntegerType(8 * bytes),
                                          mlir::StridedLayoutAttr::get(b_.getContext(), 0, strides));
  return mlir::UnrealizedConversionCastOp::create(b_, at_, type, d).getResult(0);
}

namespace {

mlir::AffineMap map_of(const Layout& l, mlir::MLIRContext* context) {
  std::vector<mlir::AffineExpr> used;
  for (unsigned d = 0; d < l.size(); ++d)
    if (l[d].stride != 0) used.push_back(mlir::getAffineDimExpr(d, context));
  return mlir::AffineMap::get(static_cast<unsigned>(l.size()), 0, used, context);
}

}  // namespace

Lane compute_lane(const Plan& plan, const Recipe& recipe, Arithmetic& arithmetic, mlir::ValueRange leaves,
                  const std::vector<Value>& scalars) {
  std::vector<Lane> lanes;
  for (const Recipe::Step& s : recipe.steps) {
    std::vector<Lane> operands;
    for (const std::size_t o : s.operands) operands.push_back(lanes[o]);
    switch (s.node->kind) {
      case Node::Kind::kScalar: lanes.push_back({scalars[s.leaf], {}}); break;
      case Node::Kind::kElementwise:
        lanes.push_back(arithmetic.apply(plan.program.elementwise[s.node->by->aux], operands));
        for (std::size_t k = 0; k < operands.size(); ++k) lanes[s.operands[k]] = operands[k];  // with what was learnt
        break;
      case Node::Kind::kSelect:
        lanes.push_back(arithmetic.select(operands[0], operands[1], operands[2], s.node->bytes));
        break;
      default: lanes.push_back({leaves[s.leaf], {}});
    }
  }
  return lanes.back();
}

void Loops::write_function(const std::string& name, const Form& form) {
  const mlir::OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToEnd(mlir::cast<mlir::ModuleOp>(module_).getBody());
  const mlir::Type ptr = LLVM::LLVMPointerType::get(b_.getContext());
  std::vector<mlir::Type> types{ptr};
  for (const bool target : form.is_target)
    if (!target) types.push_back(ptr);
  const std::size_t pointers = types.size();
  for (const Value s : form.recipe.scalars) types.push_back(s.getType());
  types.insert(types.end(), form.symbols.size(), b_.getI64Type());
  auto function = mlir::func::FuncOp::create(b_, at_, name, b_.getFunctionType(types, {}));
  function.setPrivate();
  for (unsigned a = 0; form.apart && a < pointers; ++a) function.setArgAttr(a, "llvm.noalias", b_.getUnitAttr());
  mlir::Block* block = function.addEntryBlock();
  b_.setInsertionPointToStart(block);
  std::size_t next = pointers;
  std::vector<Value> scalars;
  for (std::size_t k = 0; k < form.recipe.scalars.size(); ++k) scalars.push_back(block->getArgument(next++));
  std::map<int, Value> symbols;
  for (const int s : form.symbols) symbols[s] = block->getArgument(next++);
  std::vector<Value> addresses;  // of the leaves, then of the target
  unsigned argument = 1;
  for (const bool is_target : form.is_target) addresses.push_back(block->getArgument(is_target ? 0 : argument++));
  addresses.push_back(block->getArgument(0));
  if (form.rows_apart())
    write_rows(form, addresses, scalars);
  else
    write_loops(form, addresses, scalars, symbols);
  mlir::func::ReturnOp::create(b_, at_);
}

void Loops::write_loops(const Form& form, const std::vector<Value>& addresses, const std::vector<Value>& scalars,
                        const std::map<int, Value>& symbols) {
  if (goes_in_pairs(plan_, form.recipe, form.bytes, form.target, form.leaves))
    return write_pairs(plan_, form.recipe, form.target, form.leaves, addresses, scalars, b_, at_);
  const Value target = memref(addresses.back(), form.target, form.bytes, symbols);
  std::vector<Value> inputs;
  std::vector<mlir::AffineMap> maps;
  for (std::size_t k = 0; k < form.leaves.size(); ++k) {
    const unsigned bytes = form.recipe.leaves[k].node->bytes;
    inputs.push_back(form.is_target[k] ? target : memref(addresses[k], form.leaves[k], bytes, symbols));
    maps.push_back(map_of(form.leaves[k], b_.getContext()));
  }
  maps.push_back(map_of(form.target, b_.getContext()));
  const std::vector<mlir::utils::IteratorType> loops(form.target.size(), mlir::utils::IteratorType::parallel);
  mlir::linalg::GenericOp::create(b_, at_, mlir::TypeRange{}, inputs, mlir::ValueRange{target}, maps, loops,
                                  [&](mlir::OpBuilder& inner, mlir::Location at, mlir::ValueRange elements) {
                                    Arithmetic arithmetic(inner, at);
                                    Lane lane = compute_lane(plan_, form.recipe, arithmetic, elements, scalars);
                                    mlir::linalg::YieldOp::create(inner, at, arithmetic.raw(lane));
                                  });
}

// Row by row, the next one fetched meanwhile.
void Loops::write_rows(const Form& form, const std::vector<Value>& addresses, const std::vector<Value>& scalars) {
  namespace arith = mlir::arith;
  const auto index = [&](std::int64_t v) { return arith::ConstantIndexOp::create(b_, at_, v).getResult(); };
  const auto step_by = [&](Value pointer, Value steps, std::int64_t bytes) {
    const Value n = arith::IndexCastOp::create(b_, at_, b_.getI64Type(), steps);
    const Value far =
        arith::MulIOp::create(b_, at_, n, arith::ConstantOp::create(b_, at_, b_.getI64IntegerAttr(bytes)));
    return LLVM::GEPOp::create(b_, at_, pointer.getType(), b_.getI8Type(), pointer, llvm::ArrayRef<LLVM::GEPArg>{far})
        .getResult();
  };
  Form row = form;
  row.target = {form.target[1]};
  for (Layout& l : row.leaves) l = {l[1]};
  auto rows = mlir::scf::ForOp::create(b_, at_, index(0), index(form.target[0].size), index(1));
  const mlir::OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(rows.getBody());
  std::vector<Value> here;
  for (std::size_t k = 0; k < addresses.size(); ++k) {
    const bool leaf = k < form.leaves.size();
    const std::int64_t bytes = leaf ? form.recipe.leaves[k].node->bytes : form.bytes;
    const std::int64_t stride = (leaf ? form.leaves[k] : form.target)[0].stride * bytes;
    here.push_back(step_by(addresses[k], rows.getInductionVar(), stride));
    if (!leaf || !form.far_rows(k)) continue;
    auto lines = mlir::scf::ForOp::create(b_, at_, index(0), index(form.target[1].size * bytes), index(kLine));
    const mlir::OpBuilder::InsertionGuard inner(b_);
    b_.setInsertionPointToStart(lines.getBody());
    const Value line = step_by(step_by(here.back(), index(1), stride), lines.getInductionVar(), 1);
    LLVM::Prefetch::create(b_, at_, line, 0, 3, 1);  // to read, into all caches, data
  }
  write_loops(row, here, scalars, {});
}

}  // namespace millrace::cpu
