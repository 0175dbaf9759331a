// SPDX-License-Identifier: Apache-2.0
// One walk finds the edits and makes them: it counts the places, and where the count is due it edits and ends.
#include "edits.h"

#include <algorithm>
#include <map>
#include <optional>

#include "site.h"

namespace millrace::mutation {

namespace {

using mosaic::Element;
using mosaic::Function;
using mosaic::MemorySpace;
using mosaic::Op;
using mosaic::Region;
using mosaic::Type;
using mosaic::ValueId;

bool is_start(const Op& op) { return op.name == "tpu.enqueue_dma"; }
bool is_wait(const Op& op) {
  return op.name == "tpu.wait_dma2" || op.name == "tpu.wait_dma" || op.name == "tpu.sem_wait";
}
bool is_signal(const Op& op) { return op.name == "tpu.sem_signal"; }
bool is_semaphore(const Type& type) {
  return type.element == Element::kSemaphore || type.element == Element::kDmaSemaphore;
}

bool holds_copies(const Region& region) {
  return std::ranges::any_of(region.ops, [](const Op& op) {
    return is_start(op) || is_wait(op) || is_signal(op) || std::ranges::any_of(op.regions, holds_copies);
  });
}

class Walk {
 public:
  Walk(mosaic::Module& module, std::optional<std::size_t> due) : module_(module), due_(due) {}

  void run() {
    for (Function& function : module_.functions) {
      function_ = &function;
      visible_.clear(), constants_.clear();
      region(function.body);
      if (done_) return;
    }
  }
  std::vector<Edit> edits;

 private:
  // Whether the edit that is to be made is this one.
  bool due(const std::string& kind, const Op& op) {
    edits.push_back({kind, to_string(module_.locations.at(op.location))});
    done_ = due_ && edits.size() - 1 == *due_;
    return done_;
  }

  void region(Region& source) {
    const std::size_t outside = visible_.size();
    visible_.insert(visible_.end(), source.arguments.begin(), source.arguments.end());
    for (std::size_t i = 0; i < source.ops.size() && !done_; ++i) {
      Site site(*function_, source.ops, i);
      operation(site);
      if (done_) return;
      Op& op = source.ops[i];
      if (op.name == "arith.constant")
        if (const std::int64_t* value = mosaic::as_integer(op.find("value"))) constants_[op.results[0]] = *value;
      for (Region& inner : op.regions) {
        region(inner);
        if (done_) return;
      }
      visible_.insert(visible_.end(), op.results.begin(), op.results.end());
    }
    visible_.resize(outside);
  }

  void operation(Site& site) {
    const std::string& name = site.op().name;
    if (is_start(site.op())) return copies(site, "start");
    if (is_wait(site.op())) return copies(site, "wait");
    if (is_signal(site.op())) return copies(site, "signal");
    if (name == "tpu.memref_slice") return slice(site);
    if (name == "vector.load" || name == "tpu.vector_store") return access(site);
    if (name == "arith.remsi" || name == "arith.remui") return remainder(site);
    if (name == "scf.if") return guard(site);
    if (name == "scf.for") return loop(site);
    if (name == "arith.select") return select(site);
    if (name == "func.return") return index_map(site);
  }

  void copies(Site& site, const std::string& what) {
    if (due("drop " + what, site.op())) return site.drop();
    if (due("double " + what, site.op())) return site.repeat();
    if (what == "wait" && halve(site)) return;
    if (site.op().operands.size() > 3 || (what == "start" && site.op().operands.size() != 3)) return;  // remote
    other_semaphore(site, what == "start" ? 2 : 0);
  }

  bool halve(Site& site) {
    const ValueId amount = site.op().operands.back();
    const Type type = site.type_of(amount);
    if (site.op().name == "tpu.sem_wait") {
      if (!due("halve wait", site.op())) return false;
      const ValueId half = site.binary("arith.divui", amount, site.constant(2, type));
      site.op().operands.back() = half;
      return true;
    }
    // the last operand of both DMA waits is the target that gives the bytes, unless cores are named
    std::vector<std::int64_t> shape = type.shape;
    const auto even = std::ranges::find_if(shape, [](std::int64_t n) { return n > 1 && n % 2 == 0; });
    if (type.kind != Type::Kind::kMemref || even == shape.end() || !due("halve wait", site.op())) return false;
    *even /= 2;
    const ValueId half = site.first_part(amount, shape);
    site.op().operands.back() = half;
    return true;
  }

  void other_semaphore(Site& site, std::size_t operand) {
    const ValueId mine = site.op().operands[operand];
    const auto fits = [&](ValueId v) { return v != mine && site.type_of(v) == site.type_of(mine); };
    std::vector<ValueId> others;
    const auto first = std::ranges::find_if(visible_, fits);
    if (first != visible_.end()) others.push_back(*first);
    const auto last = std::find_if(visible_.rbegin(), visible_.rend(), fits);
    if (last != visible_.rend() && *last != others.front()) others.push_back(*last);
    for (const ValueId other : others) {
      if (!due("wrong semaphore", site.op())) continue;
      site.op().operands[operand] = other;
      return;
    }
  }

  void slice(Site& site) {
    const Type source = site.type_of(site.op().operands[0]), part = site.type_of(site.op().results[0]);
    const bool semaphores = is_semaphore(source);
    const bool array = source.space == MemorySpace::kAny || source.space == MemorySpace::kHbm;
    for (std::size_t d = 0; d < source.shape.size(); ++d) {
      const std::int64_t whole = source.shape[d], size = part.shape[d];
      if (whole < 2 || size < 1 || size >= whole || (!array && size != 1)) continue;
      if (!due(semaphores ? "wrong semaphore" : array ? "shift block" : "wrong slot", site.op())) continue;
      const ValueId offset = site.op().operands[1 + d];
      const ValueId next = array ? site.plus(offset, size) : site.next_in_ring(offset, whole);
      site.op().operands[1 + d] = next;
      return;
    }
  }

  // Where one element of a dimension is taken by an index, that dimension may be one of slots.
  void access(Site& site) {
    const bool load = site.op().name == "vector.load";
    if (!load && drop_mask(site)) return;
    const std::size_t base = load ? 0 : 1;
    const Type memory = site.type_of(site.op().operands[base]);
    const Type tile = site.type_of(load ? site.op().results[0] : site.op().operands[0]);
    const std::size_t lead = memory.shape.size() - std::min(memory.shape.size(), tile.shape.size());
    for (std::size_t d = 0; d < memory.shape.size(); ++d) {
      if (memory.shape[d] < 2 || memory.shape[d] > 8 || (d >= lead && tile.shape[d - lead] != 1)) continue;
      if (!due("wrong slot", site.op())) continue;
      const ValueId next = site.next_in_ring(site.op().operands[base + 1 + d], memory.shape[d]);
      site.op().operands[base + 1 + d] = next;
      return;
    }
  }

  bool drop_mask(Site& site) {
    const auto* segments = mosaic::as_integers(site.op().find("operandSegmentSizes"));
    if (segments == nullptr || segments->size() != 4 || segments->back() != 1) return false;
    if (!due("drop mask", site.op())) return false;
    Op& op = site.op();
    op.operands.pop_back();
    for (mosaic::NamedAttribute& entry : op.attributes)
      if (entry.first == "operandSegmentSizes") std::get<mosaic::DenseArrayAttr>(entry.second.value).values.back() = 0;
    return true;
  }

  void select(Site& site) {
    if (site.type_of(site.op().results[0]).kind != Type::Kind::kVector || !due("drop mask", site.op())) return;
    site.op().operands[2] = site.op().operands[1];
  }

  void remainder(Site& site) {
    const auto divisor = constants_.find(site.op().operands[1]);
    const Type type = site.type_of(site.op().operands[0]);
    if (type.kind != Type::Kind::kScalar || divisor == constants_.end() || divisor->second < 2) return;
    if (due("wrong parity", site.op())) {
      const ValueId more = site.plus(site.op().operands[0], 1);
      site.op().operands[0] = more;
    } else if (due("buffer fewer", site.op())) {
      const ValueId fewer = site.constant(divisor->second - 1, type);
      site.op().operands[1] = fewer;
    }
  }

  void guard(Site& site) {
    if (!site.op().results.empty() || !std::ranges::any_of(site.op().regions, holds_copies)) return;
    if (due("drop guarded", site.op())) {
      for (Region& region : site.op().regions)
        if (!region.ops.empty()) region.ops.erase(region.ops.begin(), region.ops.end() - 1);
    } else if (due("drop guard", site.op())) {
      const ValueId always = site.constant(1, Type::scalar(Element::kI1));
      site.op().operands[0] = always;
    }
  }

  void loop(Site& site) {
    const auto moved = [&](std::size_t operand, std::int64_t by) {
      const ValueId bound = site.plus(site.op().operands[operand], by);
      site.op().operands[operand] = bound;
    };
    if (due("loop shorter", site.op())) return moved(1, -1);
    if (due("loop longer", site.op())) return moved(1, 1);
    if (due("loop later", site.op())) return moved(0, 1);
  }

  void index_map(Site& site) {
    for (std::size_t i = 0; i < site.op().operands.size(); ++i) {
      if (!due("shift block", site.op())) continue;
      const ValueId next = site.plus(site.op().operands[i], 1);
      site.op().operands[i] = next;
      return;
    }
  }

  mosaic::Module& module_;
  std::optional<std::size_t> due_;
  Function* function_ = nullptr;
  std::vector<ValueId> visible_;  // values in scope, in the order of their definitions
  std::map<ValueId, std::int64_t> constants_;
  bool done_ = false;
};

}  // namespace

std::vector<Edit> edits_of(const mosaic::Module& module) {
  mosaic::Module copy = module;
  Walk walk(copy, {});
  walk.run();
  return std::move(walk.edits);
}

mosaic::Module edited(const mosaic::Module& module, std::size_t number) {
  mosaic::Module copy = module;
  Walk(copy, number).run();
  return copy;
}

}  // namespace millrace::mutation
