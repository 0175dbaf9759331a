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

void Runner::take(const std::vector<Array>& inputs, std::vector<Array>& outputs) {
  const auto devices = static_cast<std::size_t>(plan_.program.devices);
  const std::size_t ins = plan_.inputs.size(), outs = plan_.outputs.size();
  const bool fresh = outputs.empty();
  if (inputs.size() != devices * ins || (!fresh && outputs.size() != devices * outs))
    throw Error(ErrorCode::kUser, fmt::format("the kernel has {} inputs and {} outputs; {} and {} were given",
                                              devices * ins, devices * outs, inputs.size(), outputs.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i) require(inputs[i], plan_.inputs[i % ins], fmt::format("in{}", i));
  for (std::size_t i = 0; i < devices * outs; ++i) {
    const program::OperandSpec& spec = plan_.outputs[i % outs];
    if (!fresh) {
      require(outputs[i], spec, fmt::format("out{}", i));
      continue;
    }
    outputs.push_back(Array::unset(spec.dtype, spec.shape));
    if (outputs.back().dtype() != DType::i1) machine::fill_with_poison(outputs.back());
  }
  arrays_.assign(devices, std::vector<std::byte*>(plan_.program.memories.size(), nullptr));
  converted_.clear();
  converted_.reserve(3 * inputs.size());
  results_.resize(outputs.size());
  for (int d = 0; d < plan_.program.devices; ++d) take_device(d, inputs, outputs);
}

// The arrays as the kernel's memory, by slot. An aliased output begins with its input's data; an input that the kernel
// writes under its own name is a copy.
void Runner::take_device(int device, const std::vector<Array>& inputs, std::vector<Array>& outputs) {
  const program::Program& p = plan_.program;
  std::vector<std::byte*>& arrays = arrays_[static_cast<std::size_t>(device)];
  const std::size_t first_in = static_cast<std::size_t>(device) * plan_.inputs.size();
  const std::size_t first_out = static_cast<std::size_t>(device) * plan_.outputs.size();
  const auto in_memory = [&](std::size_t operand, mosaic::Element element) -> const Array& {
    const Array& given = inputs[first_in + operand];
    return machine::differs_in_memory(given.dtype(), element) ? converted_.emplace_back(machine::as_in_memory(given))
                                                              : given;
  };
  for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
    const MemorySlot& slot = p.memories[s];
    if (slot.binding == Binding::kOutput) {
      Array &out = outputs[first_out + slot.operand], &result = results_[first_out + slot.operand];
      const bool bools = out.dtype() == DType::i1;
      if (bools && result.shape() != out.shape()) {
        result = Array::unset(DType::i32, out.shape());
        machine::fill_with_poison(result);
      }
      arrays[s] = (bools ? result : out).data();
    } else if (slot.binding == Binding::kInput && !slot.same_as) {
      const Array& in = in_memory(slot.operand, slot.element);
      arrays[s] = const_cast<std::byte*>(in.data());  // NOLINT: what is written is a copy
      if (plan_.written[s] && slot.kind == event::MemoryKind::kHbm) arrays[s] = converted_.emplace_back(in).data();
    }
  }
  for (const program::Environment::Alias& a : p.aliases) {
    for (std::uint32_t s = 0; s < p.memories.size(); ++s) {
      const MemorySlot& slot = p.memories[s];
      if (slot.binding != Binding::kOutput || slot.operand != a.output || p.unwritten[a.input]) continue;
      const Array& from = in_memory(a.input, slot.element);
      std::memcpy(arrays[s], from.data(), from.bytes());
    }
  }
}

// Back to what arrays hold.
void Runner::give(std::vector<Array>& outputs) {
  const std::size_t outs = plan_.outputs.size();
  for (const MemorySlot& slot : plan_.program.memories) {
    if (slot.binding != Binding::kOutput) continue;
    for (std::size_t o = slot.operand; o < outputs.size(); o += outs) {
      if (outputs[o].dtype() == DType::i1)
        outputs[o] = results_[o].cast(DType::i1);
      else
        machine::turn_into_array(outputs[o], outputs[o].dtype(), slot.element);
    }
  }
}

// Several cores are a team; the threads that share one core's work are alone each.
void Runner::hire(int workers) {
  const int cores = plan_.program.cores;
  for (int w = static_cast<int>(workers_.size()); w < workers; ++w) {
    if (semaphores_.empty() || !plan_.several) semaphores_.push_back(std::make_unique<Semaphores>());
    const Seat seat = plan_.several ? Seat{w / cores, w % cores, *semaphores_.back(), workers_}
                                    : Seat{0, 0, *semaphores_.back(), workers_};
    workers_.push_back(std::make_unique<Worker>(plan_, seat));
  }
  for (int w = 0; w < workers; ++w)
    workers_[static_cast<std::size_t>(w)]->bind(arrays_[plan_.several ? static_cast<std::size_t>(w / cores) : 0]);
}

int Runner::share_out(std::int64_t points) {
  if (plan_.several) {
    hire(plan_.program.devices * plan_.program.cores);
    return static_cast<int>(workers_.size());
  }
  // With explicit copies the other cores are for the threads that copy.
  const int most = options_.threads > 0 ? options_.threads : plan_.copies ? 1 : target::cores();
  const int threads = static_cast<int>(std::clamp<std::int64_t>(points, 1, most));
  hire(threads);
  const bool shared = threads > 1 && may_share() && blocks_apart(threads, points, (points + threads - 1) / threads);
  return shared ? threads : 1;
}

void Runner::run(const std::vector<Array>& inputs, std::vector<Array>& outputs) {
  take(inputs, outputs);
  const program::Program& p = plan_.program;
  std::int64_t points = 1;
  for (std::size_t d = 0; d < p.grid.size(); ++d)
    if (p.split[d]) points *= p.grid[d];
  threads_ = share_out(points);
  const int cores = plan_.several ? p.cores : threads_;  // that share a grid
  const std::int64_t each = (points + cores - 1) / cores;
  for (const auto& s : semaphores_) s->begin(plan_.several ? threads_ : 1);
  std::vector<std::exception_ptr> stopped(static_cast<std::size_t>(threads_));
  const auto began = Copies::Clock::now();
  const auto work = [&](int t) {
    try {
      const std::int64_t first = std::min(t % cores * each, points);
      workers_[static_cast<std::size_t>(t)]->run(code_->entry, first, std::min(first + each, points), began);
    } catch (...) {
      stopped[static_cast<std::size_t>(t)] = std::current_exception();
    }
  };
  if (threads_ > 1 && (!together_ || together_->threads() != threads_))
    together_ = std::make_unique<target::Together>(threads_);
  if (threads_ == 1)
    work(0);
  else
    together_->run(work);
  for (const bool deadlocks : {false, true})  // who waits in vain may do so because another one failed
    for (std::size_t t = 0; t < stopped.size(); ++t)
      if (stopped[t] && workers_[t]->deadlocked() == deadlocks) std::rethrow_exception(stopped[t]);
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

std::vector<Span> Runner::take_spans() {
  std::vector<Span> all;
  for (const auto& w : workers_) {
    const std::vector<Span> spans = w->take_spans();
    all.insert(all.end(), spans.begin(), spans.end());
    if (!plan_.several) break;
  }
  return all;
}

namespace {

bool moves_itself(const program::Program& p) {
  return std::ranges::any_of(p.code, [](const program::Instruction& i) { return i.op == program::Op::kDmaStart; });
}

}  // namespace

std::vector<std::string> Runner::movement() const {
  std::vector<std::string> sentences;
  if (moves_itself(plan_.program)) {
    sentences.emplace_back("the kernel's own DMAs: all are copied, " +
                           std::string(plan_.asynchronous ? "by a thread beside the kernel's"
                                       : plan_.copies     ? "when they are started: the kernel reads the count of a "
                                                            "semaphore, which must not depend on time"
                                                          : "when they are started"));
  }
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
