// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

#include "machine/memory.h"
#include "machine/operands.h"
#include "millrace/error.h"

namespace millrace::cpu {

using program::MemorySlot;
using Binding = program::MemorySlot::Binding;

namespace {

void require(const Array& array, const program::OperandSpec& spec, const std::string& name) {
  if (array.dtype() == spec.dtype && array.shape() == spec.shape) return;
  throw Error(ErrorCode::kUser, fmt::format("{} is {} of shape {}; the kernel was compiled for {} of shape {}", name,
                                            name_of(array.dtype()), to_string(array.shape()), name_of(spec.dtype),
                                            to_string(spec.shape)));
}

}  // namespace

Runner::Runner(const program::Program& program, std::vector<program::OperandSpec> inputs,
               std::vector<program::OperandSpec> outputs, const NativeOptions& options)
    : options_(options) {
  if (options.threads < 0)
    throw Error(ErrorCode::kUser, fmt::format("{} threads; take 1 or more, or 0 for all cores", options.threads));
  const auto began = std::chrono::steady_clock::now();
  make_plan(program, std::move(inputs), std::move(outputs), options.movement == Movement::kCopies, plan_);
  code_ = compile(plan_, from_cache_);
  compile_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The arrays as the kernel's memory, by slot. An aliased output begins with its input's data; an input that the kernel
// writes under its own name is a copy.
void Runner::take(const std::vector<Array>& inputs, std::vector<Array>& outputs) {
  const program::Program& p = plan_.program;
  const bool fresh = outputs.empty();
  if (inputs.size() != plan_.inputs.size() || (!fresh && outputs.size() != plan_.outputs.size()))
    throw Error(ErrorCode::kUser,
                fmt::format("the kernel has {} inputs and {} outputs; {} and {} were given", plan_.inputs.size(),
                            plan_.outputs.size(), inputs.size(), outputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) require(inputs[i], plan_.inputs[i], fmt::format("in{}", i));
  for (std::size_t i = 0; i < plan_.outputs.size(); ++i) {
    if (!fresh) {
      require(outputs[i], plan_.outputs[i], fmt::format("out{}", i));
      continue;
    }
    outputs.push_back(Array::unset(plan_.outputs[i].dtype, plan_.outputs[i].shape));
    if (outputs.back().dtype() != DType::i1) machine::fill_with_poison(outputs.back());
  }
  arrays_.assign(p.memories.size(), nullptr);
  converted_.clear();
  converted_.reserve(2 * inputs.size());
  results_.resize(outputs.size());
  const auto in_memory = [&](std::size_t operand, mosaic::Element element) -> const Array& {
    const Array& given = inputs[operand];
    return machine::differs_in_memory(given.dtype(), element) ? converted_.emplace_back(machine::as_in_memory(given))
                                                              : given;
  };
  for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
    const MemorySlot& slot = p.memories[s];
    if (slot.binding == Binding::kOutput) {
      Array& out = outputs[slot.operand];
      const bool bools = out.dtype() == DType::i1;
      if (bools && results_[slot.operand].shape() != out.shape()) {
        results_[slot.operand] = Array::unset(DType::i32, out.shape());
        machine::fill_with_poison(results_[slot.operand]);
      }
      arrays_[s] = (bools ? results_[slot.operand] : out).data();
    } else if (slot.binding == Binding::kInput && !slot.same_as) {
      const Array& in = in_memory(slot.operand, slot.element);
      arrays_[s] = const_cast<std::byte*>(in.data());  // NOLINT: what is written is a copy
      if (plan_.written[s] && slot.kind == event::MemoryKind::kHbm) arrays_[s] = converted_.emplace_back(in).data();
    }
  }
  for (const program::Environment::Alias& a : p.aliases) {
    for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
      const MemorySlot& slot = p.memories[s];
      if (slot.binding != Binding::kOutput || slot.operand != a.output || p.unwritten[a.input]) continue;
      const Array& from = in_memory(a.input, slot.element);
      std::memcpy(arrays_[s], from.data(), from.bytes());
    }
  }
}

// Back to what arrays hold.
void Runner::give(std::vector<Array>& outputs) {
  for (const MemorySlot& slot : plan_.program.memories) {
    if (slot.binding != Binding::kOutput) continue;
    Array& out = outputs[slot.operand];
    if (out.dtype() == DType::i1)
      out = results_[slot.operand].cast(DType::i1);
    else
      machine::turn_into_array(out, out.dtype(), slot.element);
  }
}

void Runner::run(const std::vector<Array>& inputs, std::vector<Array>& outputs) {
  take(inputs, outputs);
  const program::Program& p = plan_.program;
  std::int64_t points = 1;
  for (std::size_t d = 0; d < p.grid.size(); ++d)
    if (p.split[d]) points *= p.grid[d];
  // With explicit copies the other cores are for the threads that copy.
  const int most = options_.threads > 0 ? options_.threads : plan_.copies ? 1 : target::cores();
  int threads = static_cast<int>(std::clamp<std::int64_t>(points, 1, most));
  while (static_cast<int>(workers_.size()) < threads) workers_.push_back(std::make_unique<Worker>(plan_));
  for (int t = 0; t < threads; ++t) workers_[static_cast<std::size_t>(t)]->bind(arrays_);
  std::int64_t each = (points + threads - 1) / threads;
  if (threads > 1 && !(may_share() && blocks_apart(threads, points, each))) threads = 1, each = points;
  threads_ = threads;
  std::vector<std::exception_ptr> stopped(static_cast<std::size_t>(threads));
  const auto work = [&](int t) {
    try {
      const std::int64_t first = std::min(t * each, points);
      workers_[static_cast<std::size_t>(t)]->run(code_->entry, first, std::min(first + each, points));
    } catch (...) {
      stopped[static_cast<std::size_t>(t)] = std::current_exception();
    }
  };
  if (threads > 1 && (!together_ || together_->threads() != threads))
    together_ = std::make_unique<target::Together>(threads);
  if (threads == 1)
    work(0);
  else
    together_->run(work);
  for (const std::exception_ptr& e : stopped)
    if (e) std::rethrow_exception(e);
  give(outputs);
}

// What threads would have to share beside the arrays: a stream of random numbers has one order only, and steps that are
// meant for cores of their own may wait for each other.
bool Runner::may_share() {
  for (std::size_t d = 0; d < plan_.program.grid.size(); ++d)
    if (plan_.program.split[d] && !plan_.program.parallel[d]) return false;
  return std::ranges::none_of(plan_.program.code, [](const program::Instruction& i) {
    return i.op == program::Op::kRandomBits || i.op == program::Op::kSeed;
  });
}

// No block of an output may be shown by two threads.
bool Runner::blocks_apart(int threads, std::int64_t points, std::int64_t each) {
  if (apart_) return *apart_;
  const program::Program& p = plan_.program;
  std::int64_t steps = 1;
  for (const std::int64_t extent : p.grid) steps *= extent;
  constexpr std::int64_t kMostSteps = 1 << 22;
  if (steps > kMostSteps) return false;
  std::map<std::pair<std::size_t, std::vector<std::int32_t>>, int> owner;
  bool apart = true;
  for (int t = 0; t < threads && apart; ++t) {
    Worker& worker = *workers_[static_cast<std::size_t>(t)];
    const std::int64_t first = std::min(t * each, points);
    bool more = worker.blocks(code_->entry, first, std::min(first + each, points));
    for (; more && apart; more = worker.next_blocks(code_->entry)) {
      for (std::size_t w = 0; w < p.windows.size(); ++w) {
        if (!p.windows[w].output) continue;
        std::vector<std::int32_t> block;
        for (const program::Slot s : p.windows[w].current) block.push_back(worker.number(s));
        apart &= owner.try_emplace({w, std::move(block)}, t).first->second == t;
        if (p.windows[w].elements) apart = false;  // they may overlap in part
      }
    }
  }
  bool of_data = false;  // maps that read memory may say otherwise next time
  for (const program::MemorySlot& slot : p.memories)
    of_data |= slot.binding == Binding::kInput && slot.kind != event::MemoryKind::kHbm;
  if (!of_data) apart_ = apart;
  return apart;
}

std::vector<Span> Runner::take_spans() { return workers_.empty() ? std::vector<Span>() : workers_[0]->take_spans(); }

std::vector<std::string> Runner::movement() const {
  std::vector<std::string> sentences;
  for (std::size_t w = 0; w < plan_.program.windows.size(); ++w) {
    const std::string& name = plan_.program.windows[w].name;
    switch (plan_.shown[w]) {
      case Shown::kView:
        sentences.push_back(fmt::format(
            "{}: no copies. Its window is a view of the array: every block lies within it, and nobody else writes "
            "what the window shows while it shows it",
            name));
        break;
      case Shown::kWithinArray:
        sentences.push_back(
            fmt::format("{}: blocks within the array are views of it; those that stick out are copied "
                        "to a buffer and back: {}",
                        name, plan_.why[w]));
        break;
      case Shown::kBuffer: sentences.push_back(fmt::format("{}: every block is copied: {}", name, plan_.why[w])); break;
    }
  }
  return sentences;
}

}  // namespace millrace::cpu
