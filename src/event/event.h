// SPDX-License-Identifier: Apache-2.0
// What a run tells those who watch it. One event is one thing that happened, in the order of the machine's own
// schedule; what *may* have happened in another order is for the observers to work out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "millrace/report.h"

namespace millrace::event {

using MemoryId = std::uint32_t;  // one allocation of a run, numbered as they are made
using DmaId = std::uint64_t;     // numbered as they are issued
using PlaceId = std::uint32_t;   // index into RunBegan::places
using OriginId = std::uint32_t;  // a read that took undefined elements, numbered as they happen

inline constexpr int kMaxRank = 8;
inline constexpr int kShared = -1;  // in place of a core: all cores of the device
// Bytes in which a DMA raises a DMA semaphore as it goes (S3.2): 32 on v5e and later.
inline constexpr std::int64_t kDmaGranule = 32;

enum class MemoryKind : std::uint8_t { kHbm, kVmem, kSmem, kSemaphore };

// A place in the kernel's source. `at` is what the module says ("file:line" or a scope name), `where` is for people.
struct Place {
  std::string at;
  std::string where;
};

// A set of elements of one memory: one range per dimension. Rank 0 is the one element of a scalar memory.
struct Box {
  int rank = 0;
  std::array<Range, kMaxRank> ranges;

  std::span<const Range> span() const { return {ranges.data(), static_cast<std::size_t>(rank)}; }
  friend bool operator==(const Box& a, const Box& b);
};
bool overlap(const Box& a, const Box& b);                     // exact, strides included
std::optional<Box> intersection(const Box& a, const Box& b);  // empty where they share no element
std::string to_string(const Box& box);                        // "[1, 0:8, 0:128]"

struct Semaphore {
  MemoryId memory = 0;
  std::uint32_t element = 0;  // row-major position in the semaphore array
  friend auto operator<=>(const Semaphore&, const Semaphore&) = default;
};

// Who did it: a core itself, or a DMA that a core had started.
struct Agent {
  int device = 0;
  int core = 0;
  std::optional<DmaId> dma;
};

struct End {  // one end of a DMA
  MemoryId memory = 0;
  Box box;
  std::vector<Box> more = {};  // a reshaped view may be several boxes of its memory: the others
};

struct RunBegan {
  std::span<const Place> places;
  int devices = 1, cores = 1;  // cores: of each device
};
struct RegionAllocated {
  MemoryId memory;
  std::string name;  // "in0", "out0", "scratch0", "scoped0", "scopedsem0", "window0"
  MemoryKind kind;
  DType dtype;        // of semaphores: i32
  bool counts_bytes;  // a DMA semaphore
  Shape shape;
  PlaceId at;
  int device = 0;
  int core = 0;                        // whose it is; kShared: all cores of the device
  bool written = false;                // holds data from the start
  std::vector<std::string> also = {};  // other names of the same memory: an input aliased to this output
};
struct RegionFreed {
  MemoryId memory;
  PlaceId at;
};
enum class AccessKind : std::uint8_t { kRead, kWrite };
struct Access {
  Agent who;
  MemoryId memory;
  Box box;
  AccessKind kind;
  PlaceId at;
  std::vector<Box> more = {};  // as of an End
};
// A move of the grid's own window pipeline, between the array and a slot.
struct WindowMove {
  std::uint32_t window = 0;
  std::uint32_t slot = 0;
  std::vector<std::int64_t> block;  // as the index map gives it
  bool out = false;                 // from the slot to the array
};
struct DmaIssued {
  DmaId dma;
  Agent by;
  End source, target;
  Semaphore raises;    // when the target has been written
  std::int64_t bytes;  // how far it raises it in all: bytes, or 1 on a regular semaphore
  std::optional<WindowMove> window;
  PlaceId at;
  std::optional<Semaphore> sends =
      {};  // of a copy to another core or device: raised by as much when the source is read
  // It rises in pieces of so much, the last when the DMA is complete; `bytes` where it rises once (--dma-signal whole).
  std::int64_t granule = kDmaGranule;
};
struct DmaRead {
  DmaId dma;
};
struct DmaWrote {
  DmaId dma;
};
struct DmaSignalled {
  DmaId dma;
  Semaphore semaphore;
  std::int64_t amount;
  bool last;
};
struct Signalled {
  Agent who;
  Semaphore semaphore;
  std::int64_t amount;
  PlaceId at;
};
struct SemaphoreRead {  // tpu.sem_read: a value that depends on the schedule
  Agent who;
  Semaphore semaphore;
  std::int64_t value;
  PlaceId at;
};
struct Waited {
  Agent who;
  Semaphore semaphore;
  std::int64_t amount;
  PlaceId at;
};  // the wait has returned
struct Blocked {
  Agent who;
  Semaphore semaphore;
  std::int64_t has, needs;
  PlaceId at;
};                    // and nothing else can run
struct WindowBound {  // before the first step
  Agent who;
  std::uint32_t window;
  std::string name;             // of the operand: "in0"
  MemoryId array;               // the whole operand
  std::vector<MemoryId> slots;  // the buffers
  bool input, output;
  bool reload;  // an output that is read back when its block is entered
  Shape block;  // elements
};
struct WindowEntered {  // in the step that has begun, the window shows another block than before, or its first
  Agent who;
  std::uint32_t window;
  std::uint32_t slot;
  std::vector<std::int64_t> block;
};
struct StepBegan {
  Agent who;
  std::span<const std::int64_t> index;
};  // of the kernel's grid
struct StepEnded {
  Agent who;
};
struct ScopeBegan {
  Agent who;
  std::string_view name;
};  // tpu.trace_start
struct ScopeEnded {
  Agent who;
};
struct KernelEnded {};

// Told only by runs that keep definedness (S7).
struct UndefinedRead {  // right after the Access or DmaRead that took them
  OriginId origin;
  Agent who;
  MemoryId memory;
  std::vector<Box> boxes;  // of the undefined elements
  bool padding;            // beyond the edge of a window's array; else nobody has written them
  PlaceId at;
};
struct UndefinedSource {
  OriginId origin;
  std::optional<PlaceId> folded_at = {};  // padding that went through a reduction or contraction: the first
  friend bool operator==(const UndefinedSource&, const UndefinedSource&) = default;
};
enum class Use : std::uint8_t { kOutput, kBranch, kAddress, kAmount };
struct UndefinedUsed {
  Use use;
  Agent who;
  PlaceId at;              // of the use; of kOutput: 0
  MemoryId memory;         // of kOutput: which; else 0
  std::vector<Box> boxes;  // of kOutput: its undefined elements
  std::span<const UndefinedSource> sources;
};
struct NeverWritten {  // elements of an output, when the kernel has ended
  MemoryId memory;
  std::vector<Box> boxes;
};

// Listens to a run. Every function does nothing until overridden; a run without observers calls none.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on(const RunBegan&) {}
  virtual void on(const RegionAllocated&) {}
  virtual void on(const RegionFreed&) {}
  virtual void on(const Access&) {}
  virtual void on(const DmaIssued&) {}
  virtual void on(const DmaRead&) {}
  virtual void on(const DmaWrote&) {}
  virtual void on(const DmaSignalled&) {}
  virtual void on(const Signalled&) {}
  virtual void on(const SemaphoreRead&) {}
  virtual void on(const Waited&) {}
  virtual void on(const Blocked&) {}
  virtual void on(const WindowBound&) {}
  virtual void on(const WindowEntered&) {}
  virtual void on(const StepBegan&) {}
  virtual void on(const StepEnded&) {}
  virtual void on(const ScopeBegan&) {}
  virtual void on(const ScopeEnded&) {}
  virtual void on(const UndefinedRead&) {}
  virtual void on(const UndefinedUsed&) {}
  virtual void on(const NeverWritten&) {}
  virtual void on(const KernelEnded&) {}
};

}  // namespace millrace::event
