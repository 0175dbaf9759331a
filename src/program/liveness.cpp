// SPDX-License-Identifier: Apache-2.0
#include "program/liveness.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace millrace::program {

namespace {

using mosaic::Function;
using mosaic::Op;
using mosaic::Region;
using mosaic::ValueId;

// Collects, for each value, the values that are needed as soon as it is.
class Walk {
 public:
  explicit Walk(std::size_t values) : needs_(values), needed_(values, false) {}

  void function(const Function& f) {
    region(f.body);
    for (ValueId v : f.body.ops.empty() ? std::vector<ValueId>{} : f.body.ops.back().operands) roots_.push_back(v);
  }

  std::vector<bool> solve() {
    while (!roots_.empty()) {
      ValueId v = roots_.back();
      roots_.pop_back();
      if (needed_[v]) continue;
      needed_[v] = true;
      roots_.insert(roots_.end(), needs_[v].begin(), needs_[v].end());
    }
    return std::move(needed_);
  }

 private:
  void region(const Region& r) {
    for (const Op& op : r.ops) one(op);
  }

  void one(const Op& op) {
    if (op.name == "scf.for")
      loop(op);
    else if (op.name == "scf.while")
      while_loop(op);
    else if (op.name == "scf.if" || op.name == "tpu.region")
      branches(op);
    else if (has_effect(op))
      roots_.insert(roots_.end(), op.operands.begin(), op.operands.end());
    else
      for (ValueId result : op.results) depends(result, op.operands);
    for (const Region& r : op.regions) region(r);
  }

  void depends(ValueId result, const std::vector<ValueId>& on) {
    needs_[result].insert(needs_[result].end(), on.begin(), on.end());
  }

  void branches(const Op& op) {
    roots_.insert(roots_.end(), op.operands.begin(), op.operands.end());
    for (const Region& r : op.regions)
      for (std::size_t i = 0; i < op.results.size(); ++i) needs_[op.results[i]].push_back(r.ops.back().operands[i]);
  }

  // A carried value is needed through the result, the body's argument, or another round.
  void loop(const Op& op) {
    roots_.insert(roots_.end(), op.operands.begin(), op.operands.begin() + 3);
    const Region& body = op.regions[0];
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      ValueId argument = body.arguments[i + 1];
      needs_[op.results[i]].push_back(argument);
      needs_[argument].push_back(op.operands[i + 3]);
      needs_[argument].push_back(body.ops.back().operands[i]);
    }
  }

  void while_loop(const Op& op) {
    const Region &before = op.regions[0], &after = op.regions[1];
    const Op& condition = before.ops.back();
    roots_.push_back(condition.operands[0]);
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      needs_[op.results[i]].push_back(condition.operands[i + 1]);
      needs_[after.arguments[i]].push_back(condition.operands[i + 1]);
    }
    for (std::size_t i = 0; i < before.arguments.size(); ++i) {
      needs_[before.arguments[i]].push_back(op.operands[i]);
      needs_[before.arguments[i]].push_back(after.ops.back().operands[i]);
    }
  }

  std::vector<std::vector<ValueId>> needs_;
  std::vector<ValueId> roots_;
  std::vector<bool> needed_;
};

}  // namespace

bool has_effect(const Op& op) {
  static constexpr std::array<std::string_view, 26> kEffects = {
      "tpu.vector_store",    "tpu.strided_store", "tpu.store",           "vector.store",         "memref.store",
      "tpu.enqueue_dma",     "tpu.wait_dma",      "tpu.wait_dma2",       "tpu.sem_signal",       "tpu.sem_wait",
      "tpu.sem_read",        "tpu.trace_start",   "tpu.trace_stop",      "tpu.trace_value",      "tpu.log",
      "tpu.log_buffer",      "tpu.delay",         "cf.assert",           "tpu.prng_set_seed_32", "tpu.sem_alloc",
      "memref.alloca",       "func.return",       "tpu.matmul_push_rhs", "tpu.matmul_acc_lhs",   "tpu.matmul_pop",
      "tpu.prng_random_bits"};
  return std::find(kEffects.begin(), kEffects.end(), op.name) != kEffects.end() || !op.regions.empty();
}

Liveness::Liveness(const Function& function) {
  Walk walk(function.values.size());
  walk.function(function);
  needed_ = walk.solve();
}

}  // namespace millrace::program
