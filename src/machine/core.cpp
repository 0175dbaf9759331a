// SPDX-License-Identifier: Apache-2.0
// The loop of a core: jumps and scalars here, everything else through a table.
#include "machine/core.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "machine/run.h"
#include "millrace/error.h"
#include "program/predicate.h"
#include "program/work.h"

namespace millrace::machine {

using program::Op;

namespace {

// Slots and blocks are counted modulo powers of two more often than not, and a division takes as long as ten other
// instructions.
bool shifts(std::int32_t a, std::int32_t b) { return a >= 0 && b > 0 && (b & (b - 1)) == 0; }

// Division never traps (N9).
std::int32_t divide(std::int32_t a, std::int32_t b) {
  if (shifts(a, b)) return a >> std::countr_zero(static_cast<std::uint32_t>(b));
  if (b == 0) return -1;
  return b == -1 ? static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(a)) : a / b;
}

std::int32_t remainder(std::int32_t a, std::int32_t b) {
  if (shifts(a, b)) return a & (b - 1);
  if (b == 0) return a;
  return b == -1 ? 0 : a % b;
}

constexpr const char* kUndefined = "uninitialized.read";
constexpr std::size_t kOps = static_cast<std::size_t>(Op::kCount);

bool touches_memory(Op op) {
  return (op >= Op::kLoad && op <= Op::kReadSemaphore) || (op >= Op::kWindowFetch && op <= Op::kWindowAdvance);
}

}  // namespace

const Core::Handler* Core::handlers() {
  static const std::array<Handler, kOps> table = [] {
    std::array<Handler, kOps> t{};
    auto set = [&](Op o, Handler h) { t[static_cast<std::size_t>(o)] = h; };
    for (Op o : {Op::kUnary, Op::kBinary, Op::kBinaryScalar}) set(o, &Core::elementwise);
    set(Op::kSelect, &Core::select), set(Op::kBroadcast, &Core::broadcast), set(Op::kTranspose, &Core::transpose);
    set(Op::kSlice, &Core::slice), set(Op::kConcatenate, &Core::concatenate), set(Op::kRotate, &Core::rotate);
    set(Op::kReduce, &Core::reduce), set(Op::kReduceIndex, &Core::reduce_index), set(Op::kMatmul, &Core::matmul);
    set(Op::kLoad, &Core::load), set(Op::kStore, &Core::store);
    set(Op::kAllocate, &Core::allocate), set(Op::kFree, &Core::free);
    set(Op::kDmaStart, &Core::dma_start), set(Op::kDmaWait, &Core::dma_wait);
    set(Op::kSignal, &Core::signal), set(Op::kWait, &Core::wait), set(Op::kReadSemaphore, &Core::read_semaphore);
    set(Op::kScopeBegin, &Core::scope_begin), set(Op::kScopeEnd, &Core::scope_end), set(Op::kAssume, &Core::assume);
    set(Op::kAssert, &Core::check), set(Op::kGather, &Core::gather), set(Op::kNibbles, &Core::nibbles);
    set(Op::kSeed, &Core::seed), set(Op::kRandomBits, &Core::random_bits);
    set(Op::kStepBegin, &Core::step_begin), set(Op::kStepEnd, &Core::step_end), set(Op::kGridNext, &Core::grid_next);
    set(Op::kWindowFetch, &Core::window_fetch), set(Op::kWindowAwait, &Core::window_await);
    set(Op::kWindowSend, &Core::window_send), set(Op::kWindowAwaitSent, &Core::window_await_sent);
    set(Op::kWindowAdvance, &Core::window_advance);
    return t;
  }();
  return table.data();
}

// Where the instructions are counted: the run has reached its limit, or somebody wants to hear how far it is.
void Core::pause(event::PlaceId at) {
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

void Core::go(Meter& meter) {
  struct PutBack {
    Core& core;
    Meter& meter;
    ~PutBack() { meter = {core.steps_, core.pause_}; }
  } put_back{*this, meter};
  steps_ = meter.steps, pause_ = meter.pause;
  if (stopped_) --steps_;  // it has been counted
  chosen_ = stopped_;
  state_ = State::kReady;
  const Left left = shadow_ ? shadowed_loop() : loop<Shadow::kNone>();
  state_ = left == Left::kEnded ? State::kEnded : waiting_ ? State::kWaiting : State::kReady;
  stopped_ = true;
}

// Where a core acts by an undefined number, that is the fault, whatever it leads to; the checker of undefined data says
// the rest.
Core::Left Core::shadowed_loop() {
  try {
    Left left = Left::kTurned;
    while (left == Left::kTurned) left = shadow_->idle() ? loop<Shadow::kClean>() : loop<Shadow::kUndefined>();
    return left;
  } catch (Stop& stop) {
    if (shadow_->lost()) stop.fault.id = kUndefined;
    throw;
  }
}

// Until the kernel ends, before an instruction that it could not finish, or behind one that turned the frame's shadow:
// undefined it becomes by an instruction from the table alone. Where it is and how many steps that took are kept at
// hand: the core's own fields are brought up to date only before somebody may look at them.
template <Core::Shadow kShadow>
Core::Left Core::loop() {
  const Instruction* const code = program_.code.data();
  const Handler* const table = handlers();
  const bool ask = request_.choice->moment() == Choice::Moment::kAlways, scopes = !run_.of_scopes.empty();
  std::uint64_t* const f = frame_.data();
  const Instruction* next = code + pc_;
  std::uint64_t steps = steps_, pause_at = pause_;
  const auto go_to = [&](std::uint32_t target) { next = code + target; };
  for (;;) {
    const Instruction& i = *next++;
    if (++steps > pause_at) {
      steps_ = steps, pause(i.place);
      pause_at = pause_;
    }
    if (kShadow == Shadow::kUndefined && !shadow_->idle())
      if (steps_ = steps; !shadow_->step(i)) throw Stop{{kUndefined, "an undefined amount", i.place}};
    switch (i.op) {
      case Op::kJump: go_to(i.aux); break;
      case Op::kJumpIfFalse:
        if ((f[i.a] & 1) == 0) go_to(i.aux);
        break;
      case Op::kLoopTest:
        if (i32(i.a) >= i32(i.b)) go_to(i.aux);
        break;
      case Op::kLoopNext:
        f[i.a] = static_cast<std::uint32_t>(f[i.a]) + static_cast<std::uint32_t>(f[i.b]), go_to(i.aux);
        break;
      case Op::kCopy:
        if (i.n == 1)
          f[i.dst] = f[i.a];  // most are scalars
        else
          std::memcpy(&f[i.dst], &f[i.a], std::size_t{i.n} * 8);
        break;
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
      case Op::kScopeBegin:
      case Op::kScopeEnd:
        if (!scopes) break;
        [[fallthrough]];
      default:
        steps_ = steps, pc_ = static_cast<std::uint32_t>(&i - code);
        if (i.op == Op::kEnd) return Left::kEnded;
        if (ask && touches_memory(i.op) && !may_go_on()) return Left::kStopped;
        if (!(this->*table[static_cast<std::size_t>(i.op)])(i)) return Left::kStopped;
        if (tells_work_) tell_work(i);
        if (kShadow != Shadow::kNone && shadow_->idle() != (kShadow == Shadow::kClean))
          return pc_ = static_cast<std::uint32_t>(next - code), Left::kTurned;
    }
  }
}

// Asks the choice source before an instruction that others could notice. Alone, and with no DMA in flight, there is
// nothing to choose.
bool Core::may_go_on() {
  if (std::exchange(chosen_, false) || (alone_ && transfers_.idle())) return true;
  return run_.chooses(*this);
}

void Core::tell_work(const Instruction& i) {
  std::optional<event::Computed> work = program::work_of(program_, i);
  if (!work) return;
  work->who = self();
  for (event::WorkObserver* o : run_.of_work) o->on(*work);
}

bool Core::wait_for(const SemaphoreRef& semaphore, std::int64_t amount, event::PlaceId at) {
  const std::uint64_t nth = waiting_ ? waiting_->nth : waits_[at]++;
  waiting_.reset();
  while (semaphore.count() < amount) {
    if (alone_ && run_.move_dma(semaphore)) continue;
    waiting_ = Wait{semaphore, amount, at, nth};
    return false;
  }
  semaphore.count() -= amount;
  if (tell_.anyone()) tell_(event::Waited{self(), semaphore.named(), amount, at});
  return true;
}

}  // namespace millrace::machine
