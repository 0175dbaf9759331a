// SPDX-License-Identifier: Apache-2.0
#include "machine/linked.h"

#include <fmt/format.h>

#include <algorithm>

#include "millrace/error.h"

namespace millrace::machine {

namespace {

using program::Elementwise;
using program::Op;

// The place of the first instruction that uses entry `index` of the table behind the given operations.
[[noreturn]] void refuse(const program::Program& p, std::initializer_list<Op> ops, std::size_t index,
                         const std::string& what) {
  std::string at;
  for (const program::Instruction& i : p.code)
    if (at.empty() && i.aux == index && std::find(ops.begin(), ops.end(), i.op) != ops.end()) at = p.places[i.place].at;
  throw Error(ErrorCode::kUnsupported, at.empty() ? what : fmt::format("{}: {}", at, what));
}

Linked::Function look_up(const Elementwise& e) {
  Linked::Function f{};
  if (e.op == "arith.cmpi")
    f.binary = tile::compare_integers(e.predicate, e.from);
  else if (e.op == "arith.cmpf")
    f.binary = tile::compare_floats(e.predicate, e.from);
  else if (e.arity == 2 && e.scalar_rhs)
    f.binary = tile::binary_with_scalar(e.op, e.from);
  else if (e.arity == 2)
    f.binary = tile::binary(e.op, e.from);
  else {
    f.unary = e.from == e.to ? tile::unary(e.op, e.from) : nullptr;
    if (!f.unary) f.unary = tile::convert(e.op, e.from, e.to);
  }
  return f;
}

std::string type_name(mosaic::Element e) { return mosaic::to_string(mosaic::Type::scalar(e)); }

void locate_all(const program::Program& p, Linked& l) {
  std::vector<bool> stores(p.accesses.size());
  for (const program::Instruction& i : p.code)
    if (i.op == Op::kStore) stores[i.aux] = true;
  for (std::size_t i = 0; i < p.accesses.size(); ++i) l.accesses.push_back(locate(p, p.accesses[i], stores[i]));
  for (const program::Dma& d : p.dmas) l.dmas.push_back(locate(p, d));
  for (const program::DmaWait& w : p.dma_waits) l.dma_waits.push_back(locate(p, w));
  for (const program::ViewPlan& s : p.semaphores) l.semaphores.push_back(locate(p, s));
}

}  // namespace

Linked link(const program::Program& p) {
  Linked l;
  l.program = &p;
  locate_all(p, l);
  for (std::size_t i = 0; i < p.elementwise.size(); ++i) {
    const Elementwise& e = p.elementwise[i];
    l.elementwise.push_back(look_up(e));
    if (!l.elementwise.back().unary)
      refuse(p, {Op::kUnary, Op::kBinary, Op::kBinaryScalar}, i,
             e.from == e.to
                 ? fmt::format("{} of {} is not supported", e.op, type_name(e.from))
                 : fmt::format("{} from {} to {} is not supported", e.op, type_name(e.from), type_name(e.to)));
  }
  for (std::size_t i = 0; i < p.reductions.size(); ++i) {
    const program::Reduction& r = p.reductions[i];
    const bool index = r.kind.starts_with("arg_");
    l.reduce.push_back(index ? nullptr : tile::reduce(r.kind, r.element));
    l.reduce_index.push_back(index ? tile::reduce_index(r.kind, r.element) : nullptr);
    if (!l.reduce.back() && !l.reduce_index.back())
      refuse(p, {Op::kReduce, Op::kReduceIndex}, i,
             fmt::format("a reduction {} of {} is not supported", r.kind, type_name(r.element)));
  }
  for (std::size_t i = 0; i < p.contractions.size(); ++i) {
    const program::Contraction& c = p.contractions[i];
    tile::Matmul m{c.batch, c.rows, c.columns, c.depth, {}, {}, c.lhs, c.rhs, c.out, c.round_operands};
    std::copy_n(c.lhs_stride, 3, m.lhs_stride);
    std::copy_n(c.rhs_stride, 3, m.rhs_stride);
    if (!tile::matmul_supported(m))
      refuse(p, {Op::kMatmul}, i,
             fmt::format("tpu.matmul of {} and {} into {} is not supported", type_name(c.lhs), type_name(c.rhs),
                         type_name(c.out)));
    l.matmuls.push_back(m);
  }
  return l;
}

}  // namespace millrace::machine
