// SPDX-License-Identifier: Apache-2.0
// One thread's share of a run, or one core of several: a frame, memories and windows of its own. Compiled code works
// on the frame and the memories directly, and hands back what it does not do itself, instruction by instruction.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "machine/view.h"
#include "target/cpu/copies.h"
#include "target/cpu/plan.h"

namespace millrace::cpu {

// Bytes whose places are multiples of 64.
class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::size_t size);
  ~Bytes();
  Bytes(Bytes&& o) noexcept : data_(o.data_), size_(o.size_) { o.data_ = nullptr, o.size_ = 0; }
  Bytes& operator=(Bytes&& o) noexcept {
    std::swap(data_, o.data_), std::swap(size_, o.size_);
    return *this;
  }
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Where a memory lies now, for compiled code.
struct Place {
  std::byte* base;
  std::int64_t strides[event::kMaxRank];  // elements
};

class Worker;

void settle_stores();  // that went past the caches: they are there before anything that follows

// What compiled code is handed. The layout is known to emit_kernel.cpp.
struct Native {
  std::uint64_t* frame;
  Place* places;                                                // by memory slot
  std::int32_t (*execute)(Native*, std::uint32_t instruction);  // not 0: stop, and return
  std::int64_t maps_only;                                       // not 0: return once the blocks of the step are known
  Worker* worker;                                               // whose it is; compiled code does not look
};
using Compiled = void (*)(Native*);

// Where a worker has its place: which core of which device it is, and with whom it runs. A thread that takes a share of
// one core's work is alone in a team of its own.
struct Seat {
  int device = 0, core = 0;
  Semaphores& semaphores;
  const std::vector<std::unique_ptr<Worker>>& team;  // the cores of device 0, then those of device 1, ...
};

class Worker {
 public:
  Worker(const Plan& plan, Seat seat);

  // The arrays, by memory slot of the operands as the kernel sees them; null where a slot is no array.
  void bind(const std::vector<std::byte*>& arrays);
  // Runs the points of the split axes from `first` up to `last`, numbered in lexicographic order. Throws what stops it.
  // Its seat's semaphores have begun. Spans count from `began`.
  void run(Compiled code, std::int64_t first, std::int64_t last, Copies::Clock::time_point began);
  bool deadlocked() const { return deadlocked_; }  // what stopped it is a wait that is never met
  // The blocks that each window shows at the worker's next point: see Sharing.
  bool blocks(Compiled code, std::int64_t first, std::int64_t last);
  bool next_blocks(Compiled code);
  std::vector<Span> take_spans();
  std::int32_t number(program::Slot s) const { return static_cast<std::int32_t>(frame_[s]); }

 private:
  struct WindowState {
    bool bound = false, in_buffer = false;
    Bytes buffer;
    std::vector<std::int64_t> start;  // of the block in the array
    // With explicit copies: the slots, the one that the body sees, and the copies that were asked for them.
    std::vector<std::unique_ptr<machine::Memory>> slots;
    std::vector<Bytes> buffers;
    std::vector<std::uint64_t> fetching, sending;
    std::uint32_t at = 0;
    bool holds = false, fetched_next = false;
  };
  static std::int32_t execute(Native* native, std::uint32_t instruction);
  void execute(const program::Instruction& i);
  void tile(const program::Instruction& i);
  bool product(const program::Instruction& i);
  void move(const program::Instruction& i);
  void memory(const program::Instruction& i);
  void dma(const program::Instruction& i);
  void semaphore(const program::Instruction& i);
  void wait(std::int64_t& count, std::int64_t amount, std::uint32_t memory, const program::Instruction& i);
  std::int64_t& count_of(const program::ViewPlan& plan, Worker& owner, const program::Instruction& i);
  // `owner`: the core whose memory it is; the numbers are always this one's own.
  void view(const program::ViewPlan& plan, bool padding, const char* id, const char* access, Worker& owner,
            const program::Instruction& i, machine::View& v);
  machine::Memory* memory_now(std::uint32_t slot);
  std::uint32_t slot_of(const program::Dma& dma, const machine::View& source, const machine::View& target) const;
  Worker& peer(const program::Instruction& i, program::Slot device, program::Slot core);
  std::string self() const;  // "core 1: " where there are several
  void allocate(std::uint32_t slot);
  void scope_begins(std::uint32_t slot);
  void show(std::uint32_t slot);  // in places_

  bool begin(std::int64_t first, std::int64_t last);
  bool step_on();     // to the next point of the grid; false behind the last
  bool next_point();  // to the next of this worker's
  void put_point(const std::vector<program::Slot>& slots);
  bool mine() const;
  void bind_windows(const program::Instruction& i);
  void bind_window(std::uint32_t w, const program::Instruction& i);
  std::int64_t block_start(const program::Window& w, std::size_t d, const std::vector<program::Slot>& block,
                           const program::Instruction& i) const;
  void write_back(std::uint32_t w);
  void copy_block(std::uint32_t w, bool out);
  bool moves_on(const program::Window& w) const;

  // With explicit copies: worker_copies.cpp.
  void bind_slots();
  bool staged(const program::Instruction& i);
  std::uint64_t move_block(std::uint32_t w, std::uint32_t slot, const std::vector<program::Slot>& block, bool out,
                           const program::Instruction& i);
  void await_copy(std::uint64_t& copy, std::uint32_t w, std::uint32_t slot);
  void fetch(const program::Instruction& i);
  void advance(const program::Instruction& i);
  void note_body();

  [[noreturn]] void stop(const char* id, const std::string& message, const program::Instruction& i) const;
  [[noreturn]] void outside(const char* id, const char* access, const machine::View& v,
                            const program::Instruction& i) const;
  std::byte* at(program::Slot s) { return reinterpret_cast<std::byte*>(frame_ + s); }

  const Plan& plan_;
  const Seat seat_;
  const program::Program& program_;
  Bytes frame_bytes_;
  std::uint64_t* frame_ = nullptr;
  std::vector<std::unique_ptr<machine::Memory>> memories_;  // by slot; null where it is not there now
  std::vector<Bytes> storage_;                              // by slot, of those that are the worker's own
  std::vector<Place> places_;
  std::vector<WindowState> windows_;
  std::vector<std::int64_t> point_;
  std::int64_t first_ = 0, last_ = 0;
  Native native_{};
  std::exception_ptr stopped_;
  std::unique_ptr<Copies> copies_;  // null: direct movement
  std::int64_t step_ = 0, body_began_ = 0;
  bool in_body_ = false, deadlocked_ = false;
};

}  // namespace millrace::cpu
