// SPDX-License-Identifier: Apache-2.0
// One core of a run: its frame, its own memories and windows, and the instructions on them. A core that cannot go on
// stops at its wait, and goes on there when it is run again. Internal to the machine.
#pragma once

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "machine/machine.h"
#include "machine/shadow/core_shadow.h"
#include "machine/transfers.h"

namespace millrace::machine {

class Run;

struct Stop {  // thrown inside the machine only: the kernel left its memory
  Fault fault;
};

// What a window of the grid is doing.
struct WindowState {
  std::vector<std::unique_ptr<Memory>> buffers;       // by slot
  std::unique_ptr<Memory> arrived, sent;              // DMA semaphores, one a slot
  std::vector<std::int64_t> fetching, sending;        // bytes not yet awaited, by slot
  std::vector<std::vector<std::int64_t>> sent_block;  // whose bytes `sending` counts, by slot
  std::uint32_t at = 0;                               // the slot of the current block
  bool holds = false;                                 // the current block is there or on its way
  bool fetched_next = false;
  bool entered = true;  // and nobody was told yet
};

// Instructions that the cores have executed together, and the number of them after which pause() is due.
struct Meter {
  std::uint64_t steps = 0, pause = 0;
};

// A wait that has not been met.
struct Wait {
  SemaphoreRef semaphore;
  std::int64_t amount = 0;
  event::PlaceId at = 0;
  std::uint64_t nth = 0;  // which execution of the place, from 0
};

class Core {
 public:
  // `operands`, by memory slot: what the core shares with the other cores of its device. `number` counts the cores of
  // all devices.
  Core(Run& run, int device, int core, const std::vector<Memory*>& operands);

  void bind();  // scratch, windows, the order of the grid
  // Until the kernel ends, the core cannot go on, or another core comes first. `meter`: of all cores.
  void go(Meter& meter);
  bool can_go_on() const {
    return state_ == State::kReady || (waiting_ && waiting_->semaphore.count() >= waiting_->amount);
  }
  bool ended() const { return state_ == State::kEnded; }
  const std::optional<Wait>& waiting() const { return waiting_; }
  void fail() { state_ = State::kFaulted, waiting_.reset(); }
  event::Agent self() const { return {device_, core_, {}}; }
  void tell_windows_freed();
  void tell_scratch_freed();

 private:
  using Instruction = program::Instruction;
  using Handler = bool (Core::*)(const Instruction&);  // false: the core cannot go on now
  static const Handler* handlers();                    // by operation

  // bind_core.cpp
  void bind_window(std::uint32_t index);

  // grid.cpp
  void order_grid();
  void share_grid();
  bool next_point();  // false: there is none left
  bool mine() const;
  std::int64_t coordinate(std::size_t d) const {
    return orders_[d].empty() ? static_cast<std::int64_t>(walked_[d]) : orders_[d][walked_[d]];
  }

  // The loop: core.cpp
  enum class Shadow : std::uint8_t { kNone, kClean, kUndefined };  // of the frame: not kept, or what it says now
  enum class Left : std::uint8_t { kEnded, kStopped, kTurned };    // kTurned: the frame's shadow says otherwise now
  template <Shadow kShadow>
  Left loop();
  Left shadowed_loop();
  bool may_go_on();
  void tell_work(const Instruction& i);
  void pause(event::PlaceId at);
  bool wait_for(const SemaphoreRef& semaphore, std::int64_t amount, event::PlaceId at);

  // execute_*.cpp, one function an instruction
  bool elementwise(const Instruction& i);
  void compute(const Instruction& i, std::byte* to);
  bool compute_into(const Instruction& i, std::byte* to);
  bool select(const Instruction& i);
  bool broadcast(const Instruction& i);
  bool transpose(const Instruction& i);
  bool slice(const Instruction& i);
  bool concatenate(const Instruction& i);
  bool rotate(const Instruction& i);
  bool gather(const Instruction& i);
  bool nibbles(const Instruction& i);
  bool seed(const Instruction& i);
  bool random_bits(const Instruction& i);
  bool reduce(const Instruction& i);
  bool reduce_index(const Instruction& i);
  bool matmul(const Instruction& i);
  bool load(const Instruction& i);
  bool store(const Instruction& i);
  bool allocate(const Instruction& i);
  bool free(const Instruction& i);
  void allocate_early(std::uint32_t slot);
  bool dma_start(const Instruction& i);
  bool start_located(const LocatedDma& dma, event::PlaceId at);
  bool dma_wait(const Instruction& i);
  bool signal(const Instruction& i);
  bool wait(const Instruction& i);
  void require_amount(const Instruction& i) const;
  bool read_semaphore(const Instruction& i);
  bool scope_begin(const Instruction& i);
  bool scope_end(const Instruction& i);
  bool assume(const Instruction& i);
  bool check(const Instruction& i);
  bool step_begin(const Instruction& i);
  bool step_end(const Instruction& i);
  bool grid_next(const Instruction& i);

  // windows.cpp
  bool window_fetch(const Instruction& i);
  bool window_await(const Instruction& i);
  bool window_send(const Instruction& i);
  bool window_await_sent(const Instruction& i);
  bool window_advance(const Instruction& i);
  void tell_entered();
  bool await_bytes(const std::unique_ptr<Memory>& semaphores, std::uint32_t slot, std::int64_t& bytes,
                   event::PlaceId at);
  std::vector<std::int64_t> numbers(const std::vector<program::Slot>& block) const;
  bool moves_on(const program::Window& w) const;
  bool next_takes_sent(const program::Window& w, const std::vector<std::int64_t>& sent) const;
  std::int64_t block_start(const program::Window& w, std::size_t d, const std::vector<program::Slot>& block,
                           event::PlaceId at) const;
  [[noreturn]] void no_such_block(const program::Window& w, const std::vector<program::Slot>& block,
                                  std::string message, event::PlaceId at) const;
  std::int64_t start_window_dma(std::uint32_t index, std::uint32_t slot, const std::vector<program::Slot>& block,
                                bool out, event::PlaceId at);

  // access.cpp
  // `owner`: the core whose memory it is; the numbers are always this core's own.
  void view(const program::ViewPlan& plan, bool padding, const char* id, const char* access, event::PlaceId at,
            View& out, Core& owner);
  void view(const program::MemoryAccess& access, event::AccessKind kind, event::PlaceId at, View& out);
  SemaphoreRef semaphore(const Located& quick, const program::ViewPlan& plan, event::PlaceId at, Core& owner);
  // The first byte of a view without more ado; kOutside where it needs some. Where somebody listens, also which
  // elements it takes.
  std::int64_t find(const Located& view, event::Box& box) const {
    if (!view.known || !memories_[view.memory]) return Located::kOutside;
    if (!told_) return view.find(frame_.data());
    return view.boxed ? view.find(frame_.data(), box) : Located::kOutside;
  }
  void tell_access(const Memory& memory, event::AccessKind kind, event::PlaceId at);  // of the box in access_
  Core& peer(program::Slot device, program::Slot core, event::PlaceId at);
  void tell_access(const View& v, event::AccessKind kind, event::PlaceId at);
  void issue(std::optional<event::WindowMove> window, event::PlaceId at);  // what transfers_.make() gave
  [[noreturn]] void outside(const char* id, const char* access, const View& v, event::PlaceId at);
  const std::string& operand_of(const Memory& memory) const;

  std::byte* at(program::Slot slot) { return reinterpret_cast<std::byte*>(&frame_[slot]); }
  // The bytes of an operand: in the frame, or where a direct load found them.
  const std::byte* tile(program::Slot slot, int direct) {
    if (direct == 0) return at(slot);
    const std::byte* address = nullptr;
    std::memcpy(&address, at(slot), sizeof address);
    return address;
  }
  std::int32_t i32(program::Slot slot) const { return static_cast<std::int32_t>(frame_[slot]); }

  enum class State : std::uint8_t { kReady, kWaiting, kEnded, kFaulted };

  Run& run_;
  const int device_, core_;
  const Linked& linked_;
  const program::Program& program_;
  const Request& request_;
  Tell& tell_;
  Transfers& transfers_;
  std::vector<std::uint64_t> frame_;
  std::unique_ptr<shadow::CoreShadow> shadow_;  // where definedness is kept
  std::vector<std::unique_ptr<Memory>> scratch_;
  std::vector<std::unique_ptr<Memory>> scoped_;  // by memory slot
  std::vector<Memory*> memories_;                // by memory slot: what it is bound to now
  std::vector<WindowState> windows_;
  // By axis of the grid: the order of its points, empty where they follow each other, and how far along it is.
  std::vector<std::vector<std::int32_t>> orders_;
  std::vector<std::size_t> walked_;
  std::vector<std::uint64_t> waits_;  // by place: how many waits began there
  std::optional<Wait> waiting_;       // the wait at which the core stands
  const bool alone_;                  // the only core of the run
  const bool tells_work_;             // somebody wants to hear how much is computed
  const bool told_;                   // somebody listens, or keeps what is defined
  const bool direct_;                 // no DMA or other core can do anything between a load and the use of its value
  event::Access access_;              // to be told, made once: only what changes is filled in
  State state_ = State::kReady;
  bool stopped_ = false;               // it stands before an instruction that it has begun
  bool chosen_ = false;                // and has been chosen to do
  std::int64_t first_ = 0, last_ = 0;  // of the points of the split axes of the grid: this core's
  std::uint32_t pc_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t pause_ = 0;  // the number of steps after which pause() is due
};

}  // namespace millrace::machine
