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

inline constexpr int kMaxRank = 8;
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
};
struct RegionAllocated {
  MemoryId memory;
  std::string name;  // "in0", "out0", "scratch0", "scoped0", "scopedsem0", "window0"
  MemoryKind kind;
  DType dtype;        // of semaphores: i32
  bool counts_bytes;  // a DMA semaphore
  Shape shape;
  PlaceId at;
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
struct DmaIssued {
  DmaId dma;
  Agent by;
  End source, target;
  Semaphore raises;    // when the target has been written
  std::int64_t bytes;  // how far it raises it in all: bytes, or 1 on a regular semaphore
  bool window;         // a move of the grid's own window pipeline
  PlaceId at;
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
};  // and nothing else can run
struct StepBegan {
  int core;
  std::span<const std::int64_t> index;
};  // of the kernel's grid
struct StepEnded {
  int core;
};
struct ScopeBegan {
  int core;
  std::string_view name;
};  // tpu.trace_start
struct ScopeEnded {
  int core;
};
struct KernelEnded {};

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
  virtual void on(const Waited&) {}
  virtual void on(const Blocked&) {}
  virtual void on(const StepBegan&) {}
  virtual void on(const StepEnded&) {}
  virtual void on(const ScopeBegan&) {}
  virtual void on(const ScopeEnded&) {}
  virtual void on(const KernelEnded&) {}
};

}  // namespace millrace::event
