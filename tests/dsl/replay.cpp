// SPDX-License-Identifier: Apache-2.0
#include "replay.h"

#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace millrace::test {
namespace {

using mosaic::Op;
using mosaic::Region;
using mosaic::ValueId;

class Player {
 public:
  explicit Player(const mosaic::Function& function) : function_(function) {
    for (std::size_t i = 0; i < function.body.arguments.size(); ++i) {
      define(function.body.arguments[i], fmt::format("a{}", i));
    }
    run(function.body);
  }
  std::vector<Happening> happenings;

 private:
  void define(ValueId id, std::string name) {
    Part part{std::move(name), {}, {}, {}};
    for (auto n : function_.values[id].shape) {
      part.begin.push_back(0);
      part.size.push_back(n);
      part.dropped.push_back(false);
    }
    parts_[id] = part;
  }

  std::vector<std::int64_t> run(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.name == "scf.yield" || op.name == "scf.condition" || op.name == "tpu.yield" || op.name == "func.return") {
        std::vector<std::int64_t> results;
        for (auto id : op.operands) results.push_back(numbers_[id]);
        return results;
      }
      play(op);
    }
    return {};
  }

  void play(const Op& op) {
    if (op.name.starts_with("arith.")) return arithmetic(op);
    if (op.name.starts_with("tpu.memref_")) return view(op);
    if (op.name == "tpu.region") return static_cast<void>(run(op.regions[0]));
    if (op.name == "scf.for") return loop(op);
    if (op.name == "scf.while") return repeat(op);
    if (op.name == "scf.if") return branch(op);
    if (op.name == "memref.alloca") return define(op.results[0], fmt::format("m{}", memories_++));
    if (op.name == "tpu.sem_alloc") return define(op.results[0], fmt::format("s{}", semaphores_++));
    if (op.name == "tpu.assume_multiple") return number(op, numbers_[op.operands[0]]);
    if (op.name == "tpu.enqueue_dma") return copy(Happening::kStart, op, 0, 1, 2);
    if (op.name == "tpu.wait_dma2") return copy(Happening::kWait, op, 1, 2, 0);
    if (op.name == "vector.load") return happenings.push_back({Happening::kLoad, touched(op, 0), {}, {}});
    if (op.name == "tpu.vector_store") return happenings.push_back({Happening::kStore, {}, touched(op, 1), {}});
    bool harmless = op.name.starts_with("vector.") || op.name.starts_with("math.") ||
                    op.name.starts_with("tpu.trace_") || op.name == "tpu.matmul";
    if (!harmless) throw std::runtime_error("cannot replay " + op.name);
  }

  void number(const Op& op, std::int64_t n) { numbers_[op.results[0]] = n; }

  void arithmetic(const Op& op) {
    if (op.name == "arith.constant") {
      if (auto* n = mosaic::as_integer(op.find("value"))) number(op, *n);
      return;
    }
    std::vector<std::int64_t> v;
    for (auto id : op.operands) v.push_back(numbers_[id]);
    if (op.name == "arith.index_cast") return number(op, v[0]);
    if (op.name == "arith.addi") return number(op, v[0] + v[1]);
    if (op.name == "arith.subi") return number(op, v[0] - v[1]);
    if (op.name == "arith.muli") return number(op, v[0] * v[1]);
    if (op.name == "arith.divsi") return number(op, v[0] / v[1]);
    if (op.name == "arith.remsi") return number(op, v[0] % v[1]);
    if (op.name == "arith.remui" && v[0] >= 0 && v[1] > 0) return number(op, v[0] % v[1]);
    if (op.name == "arith.maxsi") return number(op, v[0] > v[1] ? v[0] : v[1]);
    if (op.name == "arith.andi") return number(op, v[0] & v[1]);
    if (op.name == "arith.ori") return number(op, v[0] | v[1]);
    if (op.name == "arith.xori") return number(op, v[0] ^ v[1]);
    if (op.name == "arith.select") return number(op, v[0] ? v[1] : v[2]);
    if (op.name == "arith.cmpi") return number(op, compare(*mosaic::as_integer(op.find("predicate")), v[0], v[1]));
    // Arithmetic of vectors: nothing to play.
  }

  static bool compare(std::int64_t predicate, std::int64_t a, std::int64_t b) {
    switch (predicate) {
      case 0: return a == b;
      case 1: return a != b;
      case 2: return a < b;
      case 3: return a <= b;
      case 4: return a > b;
      default: return a >= b;
    }
  }

  void view(const Op& op) {
    Part part = parts_[op.operands[0]];
    const auto& shape = function_.values[op.results[0]].shape;
    if (op.name == "tpu.memref_squeeze") {
      std::size_t kept = 0;
      for (std::size_t d = 0; d < part.size.size(); ++d) {
        bool stays = kept < shape.size() && (shape[kept] == part.size[d] || shape[kept] == mosaic::kDynamic) &&
                     part.size.size() - d == shape.size() - kept;
        part.dropped[d] = !stays;
        kept += stays;
      }
    } else {
      std::size_t next = 1 + part.begin.size();
      for (std::size_t d = 0; d < part.begin.size(); ++d) {
        part.begin[d] += numbers_[op.operands[1 + d]];
        part.size[d] = shape[d] == mosaic::kDynamic ? numbers_[op.operands[next++]] : shape[d];
      }
    }
    parts_[op.results[0]] = part;
  }

  Part touched(const Op& op, std::size_t first) {
    Part part = parts_[op.operands[first]];
    const auto& vector = function_.values[first == 0 ? op.results[0] : op.operands[0]].shape;
    for (std::size_t d = 0; d < part.begin.size(); ++d) {
      part.begin[d] = numbers_[op.operands[first + 1 + d]];
      part.size[d] = vector[d];
      part.dropped[d] = part.begin.size() == 3 && d == 0;  // the slot of a window
    }
    return part;
  }

  void copy(Happening::Kind kind, const Op& op, std::size_t from, std::size_t to, std::size_t semaphore) {
    happenings.push_back({kind, parts_[op.operands[from]], parts_[op.operands[to]], parts_[op.operands[semaphore]]});
  }

  void loop(const Op& op) {
    const Region& body = op.regions[0];
    std::vector<std::int64_t> carried;
    for (std::size_t i = 3; i < op.operands.size(); ++i) carried.push_back(numbers_[op.operands[i]]);
    for (auto i = numbers_[op.operands[0]]; i < numbers_[op.operands[1]]; i += numbers_[op.operands[2]]) {
      numbers_[body.arguments[0]] = i;
      for (std::size_t c = 0; c < carried.size(); ++c) numbers_[body.arguments[1 + c]] = carried[c];
      carried = run(body);
    }
    for (std::size_t c = 0; c < carried.size(); ++c) numbers_[op.results[c]] = carried[c];
  }

  // The first region ends with whether to go on and what is carried, the second with what is carried.
  void repeat(const Op& op) {
    std::vector<std::int64_t> carried;
    for (auto id : op.operands) carried.push_back(numbers_[id]);
    for (;;) {
      bind(op.regions[0], carried);
      carried = run(op.regions[0]);
      bool goes_on = carried.front() != 0;
      carried.erase(carried.begin());
      if (!goes_on) break;
      bind(op.regions[1], carried);
      carried = run(op.regions[1]);
    }
    for (std::size_t c = 0; c < carried.size(); ++c) numbers_[op.results[c]] = carried[c];
  }

  void bind(const Region& region, const std::vector<std::int64_t>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers_[region.arguments[i]] = numbers[i];
  }

  void branch(const Op& op) {
    auto results = run(op.regions[numbers_[op.operands[0]] ? 0 : 1]);
    for (std::size_t i = 0; i < results.size(); ++i) numbers_[op.results[i]] = results[i];
  }

  const mosaic::Function& function_;
  std::map<ValueId, std::int64_t> numbers_;
  std::map<ValueId, Part> parts_;
  int memories_ = 0, semaphores_ = 0;
};

}  // namespace

std::string to_string(const Part& part) {
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < part.begin.size(); ++d) {
    dims.push_back(part.dropped[d] ? fmt::format("{}", part.begin[d])
                                   : fmt::format("{}+{}", part.begin[d], part.size[d]));
  }
  return fmt::format("{}[{}]", part.memory, fmt::join(dims, ", "));
}

std::string to_string(const Happening& h) {
  if (h.kind == Happening::kLoad) return "load " + to_string(h.from);
  if (h.kind == Happening::kStore) return "store " + to_string(h.to);
  return fmt::format("{} {} -> {} on {}", h.kind == Happening::kStart ? "start" : "wait", to_string(h.from),
                     to_string(h.to), to_string(h.semaphore));
}

std::vector<Happening> replay(const mosaic::Module& module) { return Player(*module.kernel()).happenings; }

std::vector<std::string> replay_text(const mosaic::Module& module) {
  std::vector<std::string> lines;
  for (const auto& h : replay(module)) lines.push_back(to_string(h));
  return lines;
}

}  // namespace millrace::test
