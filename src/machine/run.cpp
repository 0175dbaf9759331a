// SPDX-License-Identifier: Apache-2.0
// The loop of the core: jumps and scalars here, everything else through a table.
#include "machine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "millrace/error.h"
#include "program/predicate.h"

namespace millrace::machine {

using program::Op;

namespace {

// Division never traps (N9).
std::int32_t divide(std::int32_t a, std::int32_t b) {
  if (b == 0) return -1;
  return b == -1 ? static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(a)) : a / b;
}

std::int32_t remainder(std::int32_t a, std::int32_t b) {
  if (b == 0) return a;
  return b == -1 ? 0 : a % b;
}

constexpr std::size_t kOps = static_cast<std::size_t>(Op::kCount);

bool touches_memory(Op op) {
  return (op >= Op::kLoad && op <= Op::kReadSemaphore) || (op >= Op::kWindowFetch && op <= Op::kWindowAdvance);
}

}  // namespace

Run::Handler Run::handler(Op op) {
  static const std::array<Handler, kOps> table = [] {
    std::array<Handler, kOps> t{};
    auto set = [&](Op o, Handler h) { t[static_cast<std::size_t>(o)] = h; };
    set(Op::kUnary, &Run::unary), set(Op::kBinary, &Run::binary), set(Op::kBinaryScalar, &Run::binary);
    set(Op::kSelect, &Run::select), set(Op::kBroadcast, &Run::broadcast), set(Op::kTranspose, &Run::transpose);
    set(Op::kSlice, &Run::slice), set(Op::kConcatenate, &Run::concatenate), set(Op::kRotate, &Run::rotate);
    set(Op::kReduce, &Run::reduce), set(Op::kReduceIndex, &Run::reduce_index), set(Op::kMatmul, &Run::matmul);
    set(Op::kLoad, &Run::load), set(Op::kStore, &Run::store);
    set(Op::kAllocate, &Run::allocate), set(Op::kFree, &Run::free);
    set(Op::kDmaStart, &Run::dma_start), set(Op::kDmaWait, &Run::dma_wait);
    set(Op::kSignal, &Run::signal), set(Op::kWait, &Run::wait), set(Op::kReadSemaphore, &Run::read_semaphore);
    set(Op::kScopeBegin, &Run::scope_begin), set(Op::kScopeEnd, &Run::scope_end), set(Op::kAssume, &Run::assume);
    set(Op::kAssert, &Run::check), set(Op::kGather, &Run::gather), set(Op::kNibbles, &Run::nibbles);
    set(Op::kSeed, &Run::seed), set(Op::kRandomBits, &Run::random_bits);
    set(Op::kStepBegin, &Run::step_begin), set(Op::kStepEnd, &Run::step_end), set(Op::kGridNext, &Run::grid_next);
    set(Op::kWindowFetch, &Run::window_fetch), set(Op::kWindowAwait, &Run::window_await);
    set(Op::kWindowSend, &Run::window_send), set(Op::kWindowAwaitSent, &Run::window_await_sent);
    set(Op::kWindowAdvance, &Run::window_advance);
    return t;
  }();
  return table[static_cast<std::size_t>(op)];
}

// Where the instructions are counted: the run has reached its limit, or somebody wants to hear how far it is.
void Run::pause(event::PlaceId at) {
  if (steps_ > request_.max_steps)
    throw Error(ErrorCode::kUser, fmt::format("stopped after {} instructions, at {}; --max-steps allows more",
                                              request_.max_steps, program_.places[at].where));
  if (request_.progress) {
    if (steps_ > 1) request_.progress(steps_ - 1);
    pause_ = std::min(request_.max_steps, steps_ - 1 + kProgressSteps);
  } else {
    pause_ = request_.max_steps;
  }
}

// Runs until the kernel ends (true) or the core is blocked for ever (false).
bool Run::run_core() {
  const Instruction* code = program_.code.data();
  const bool ask = request_.choice->moment() == Choice::Moment::kAlways;
  std::uint64_t* f = frame_.data();
  for (;;) {
    const Instruction& i = code[pc_];
    if (++steps_ > pause_) pause(i.place);
    ++pc_;
    switch (i.op) {
      case Op::kJump: pc_ = i.aux; break;
      case Op::kJumpIfFalse:
        if ((f[i.a] & 1) == 0) pc_ = i.aux;
        break;
      case Op::kLoopTest:
        if (i32(i.a) >= i32(i.b)) pc_ = i.aux;
        break;
      case Op::kLoopNext:
        f[i.a] = static_cast<std::uint32_t>(f[i.a]) + static_cast<std::uint32_t>(f[i.b]), pc_ = i.aux;
        break;
      case Op::kScopeBegin:
      case Op::kScopeEnd:
        if (tell_.anyone()) (this->*handler(i.op))(i);
        break;
      case Op::kEnd: return true;
      case Op::kCopy: std::memcpy(&f[i.dst], &f[i.a], std::size_t{i.n} * 8); break;
      case Op::kAdd: f[i.dst] = static_cast<std::uint32_t>(f[i.a] + f[i.b]); break;
      case Op::kSub: f[i.dst] = static_cast<std::uint32_t>(f[i.a] - f[i.b]); break;
      case Op::kMul: f[i.dst] = static_cast<std::uint32_t>(f[i.a] * f[i.b]); break;
      case Op::kRemU: {
        auto b = static_cast<std::uint32_t>(f[i.b]);
        f[i.dst] = b == 0 ? static_cast<std::uint32_t>(f[i.a]) : static_cast<std::uint32_t>(f[i.a]) % b;
        break;
      }
      case Op::kDivS: f[i.dst] = static_cast<std::uint32_t>(divide(i32(i.a), i32(i.b))); break;
      case Op::kRemS: f[i.dst] = static_cast<std::uint32_t>(remainder(i32(i.a), i32(i.b))); break;
      case Op::kMinS: f[i.dst] = static_cast<std::uint32_t>(std::min(i32(i.a), i32(i.b))); break;
      case Op::kMaxS: f[i.dst] = static_cast<std::uint32_t>(std::max(i32(i.a), i32(i.b))); break;
      case Op::kCompare: f[i.dst] = program::holds(i.small, i32(i.a), i32(i.b)); break;
      case Op::kAnd1: f[i.dst] = f[i.a] & f[i.b] & 1; break;
      case Op::kOr1: f[i.dst] = (f[i.a] | f[i.b]) & 1; break;
      case Op::kXor1: f[i.dst] = (f[i.a] ^ f[i.b]) & 1; break;
      case Op::kSelectScalar: f[i.dst] = (f[i.a] & 1) ? f[i.b] : f[i.c]; break;
      case Op::kWiden: f[i.dst] = static_cast<std::uint64_t>(std::int64_t{i32(i.a)}); break;
      case Op::kNarrow: f[i.dst] = static_cast<std::uint32_t>(f[i.a]); break;
      case Op::kExtend1: f[i.dst] = f[i.a] & 1; break;
      default:
        if (ask && touches_memory(i.op) && !transfers_.idle()) interleave();
        if (!(this->*handler(i.op))(i)) return false;
    }
  }
}

// Lets the choice source run DMAs before the core's next step.
void Run::interleave() {
  for (;;) {
    options_.assign(1, Option{});
    transfers_.options(nullptr, options_);
    const Option& next = options_[request_.choice->pick(options_)];
    if (next.kind == Option::Kind::kCore) return;
    transfers_.perform(next);
    if (transfers_.idle()) return;
  }
}

bool Run::wait_for(const SemaphoreRef& semaphore, std::int64_t amount, event::PlaceId at) {
  ++waits_[at];
  while (semaphore.count() < amount) {
    options_.clear();
    transfers_.options(&semaphore, options_);
    if (options_.empty()) {
      blocked(semaphore, amount, at);
      return false;
    }
    const Option next = options_[request_.choice->pick(options_)];
    if (request_.choice->whole())
      transfers_.finish(next.dma);
    else
      transfers_.perform(next);
  }
  semaphore.count() -= amount;
  if (tell_.anyone()) tell_(event::Waited{core(), semaphore.named(), amount, at});
  return true;
}

void Run::blocked(const SemaphoreRef& semaphore, std::int64_t amount, event::PlaceId at) {
  event::Blocked b{core(), semaphore.named(), semaphore.count(), amount, at};
  const Memory& m = *semaphore.memory;
  outcome_.waiters.push_back(b);
  outcome_.waiter_nth.push_back(waits_[at] - 1);
  outcome_.waiter_names.push_back(m.shape.empty() ? m.name : fmt::format("{}[{}]", m.name, semaphore.element));
  if (tell_.anyone()) tell_(b);
}

void Run::end() {
  transfers_.finish_all();
  if (tell_.anyone()) {
    for (const WindowState& w : windows_)
      for (const auto& m : w.buffers) tell_(event::RegionFreed{m->id, 0});
    for (const WindowState& w : windows_)
      tell_(event::RegionFreed{w.arrived->id, 0}), tell_(event::RegionFreed{w.sent->id, 0});
    for (const auto& m : owned_)
      if (m) tell_(event::RegionFreed{m->id, 0});
    tell_(event::KernelEnded{});
  }
}

Outcome Run::go() {
  bind_memories();
  try {
    if (run_core()) end();
  } catch (Stop& stop) {
    outcome_.fault = std::move(stop.fault);
  }
  for (std::size_t i = 0; i < outcome_.outputs.size(); ++i)
    if (request_.outputs[i].dtype == DType::i1) outcome_.outputs[i] = outcome_.outputs[i].cast(DType::i1);
  outcome_.work.steps = steps_;
  outcome_.work.dmas = transfers_.issued();
  outcome_.work.dma_bytes = transfers_.bytes();
  return std::move(outcome_);
}

Outcome execute(const Linked& linked, const Request& request) { return Run(linked, request).go(); }

}  // namespace millrace::machine
