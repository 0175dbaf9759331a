// SPDX-License-Identifier: Apache-2.0
// What is still open where a scope or the kernel ends (S4.6, S4.7): DMAs that nobody can know to be complete,
// semaphores that were raised further than they were waited for, and DMAs that outlive the memory they use. One core is
// judged as the run goes; several when it is over, as what may have met a wait can come later (S4.5).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/by_number.h"
#include "check/pool.h"
#include "check/vector_order.h"
#include "event/event.h"

namespace millrace::checkers {

class Leftovers final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::WindowBound& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::Signalled& e) override;
  void on(const event::Waited& e) override;
  void on(const event::RegionFreed& e) override;
  void on(const event::KernelEnded& e) override;

  // leftover.dma once a place and semaphore, leftover.semaphore once a semaphore, scope.use-after once a place.
  std::vector<Finding> findings();

 private:
  using Core = std::pair<int, int>;  // device, core
  using Name = const std::string*;   // kept for good: a scope may end before what is said of it
  struct Region {
    Name name = nullptr;  // null: not heard of
    Shape shape;
    bool scoped = false;  // ends before the kernel does
    bool counts_bytes = false;
    Core core;  // whose it is
  };
  struct OfMemory;
  struct Use;
  struct Start {
    event::DmaId dma;
    Core core;
    event::PlaceId at;
    std::uint64_t nth;
    Use *source, *target;  // what it uses of memory that may end before the kernel does; null: nothing
    Name into;             // the target's name
    bool read_only;        // the semaphore tells of the read alone (a copy to another core)
  };
  using LastGranule = std::int64_t;
  // DMAs that no wait has proven yet, by their last granule: the largest first, as they are the first to be proven;
  // those of one size in the order of issue. There are few sizes, and a list that has become empty stays.
  using Open = std::vector<std::pair<LastGranule, std::vector<Start>>>;
  struct Sums {
    std::int64_t raised = 0, waited = 0;  // since the semaphore began; raised: by what is started, sooner or later
    event::DmaId meant_before = 0;        // DMAs of smaller numbers had been started when it was last waited for
    event::PlaceId last = 0;              // the last start or signal: of several cores, the last core's
    Core last_by;
    Open open;
  };
  struct Use {  // of memory that may end before the kernel does, by a DMA not proven yet
    event::DmaId dma;
    event::Semaphore raises;
    Core core;
    event::PlaceId at;
    std::uint64_t nth;
    bool write;
    Name from, into;
    event::Box box;
    bool met;  // its semaphore has ended, and the wait that was meant for it had come
    OfMemory* of;
    Use *before, *after;  // among those of that memory
  };

  struct OfMemory {
    Region region;
    std::vector<Sums> sums;                 // of a semaphore array, by element
    Use *first = nullptr, *last = nullptr;  // of other memory, in the order of issue
  };

  struct EndedSemaphore {
    Core core;
    std::string name, until;
    bool bytes;
    Sums sums;
  };
  struct EndedMemory {
    Core core;
    Name name;
    std::vector<Use> uses;
    VectorOrder::Stamp when;  // of several cores
  };

  struct LeftDma {
    Core core;
    event::DmaId dma;
    event::PlaceId at;
    std::uint64_t nth;
    std::string memory, semaphore, until;
    std::int64_t bytes;
    bool in_all = false;
  };
  struct LeftCount {
    std::string semaphore, until;
    std::int64_t count;
    event::PlaceId at;
    bool bytes;
  };
  struct Outlived {
    Use use;
    std::string memory;
    bool in_all = false;
  };

  void raise(const event::DmaIssued& e, const event::Semaphore& by, const Start& start);
  Use* use(const event::DmaIssued& e, const event::End& end, OfMemory& memory, const Start& start);
  void proven(const Start& start);
  OfMemory& of(event::MemoryId memory) {
    if (memory < memories_.size() && memories_[memory]) return *memories_[memory];
    return made(memory);
  }
  OfMemory& made(event::MemoryId memory);
  const OfMemory* find(event::MemoryId memory) const {
    return memory < memories_.size() ? memories_[memory].get() : nullptr;
  }
  Sums& sums_of(const event::Semaphore& s) { return entry(of(s.memory).sums, s.element); }
  void forget(Use* use, event::DmaId dma);
  static void raised(Sums& sums, std::int64_t amount, const event::Agent& by, event::PlaceId at);
  void semaphores_end(event::MemoryId memory, bool freed);
  void memory_ends(event::MemoryId memory);
  void judge(const EndedSemaphore& ended);
  void judge(const EndedMemory& ended);
  void judge_several();
  bool met(const EndedMemory& ended, const Use& use) const;
  Name name_of(const OfMemory& memory) const { return memory.region.name ? memory.region.name : no_name_; }
  Name keep(const std::string& name) { return &*names_.insert(name).first; }
  std::string name_of(const event::Semaphore& semaphore) const;
  Finding finding(const LeftDma& left) const;
  Finding finding(const LeftCount& left) const;
  Finding finding(const Outlived& outlived) const;

  std::set<std::string> names_{""};
  Name no_name_ = &*names_.begin();
  Pool<Use> uses_;
  std::vector<event::Place> places_;
  std::vector<std::unique_ptr<OfMemory>> memories_;  // those that have not ended
  ByCore<std::vector<std::uint64_t>> starts_;        // by place
  event::DmaId next_ = 0;
  std::set<event::DmaId> remote_, received_;  // of one core, copies to itself: unproven, and proven by what they wrote
  std::unique_ptr<VectorOrder> order_;        // of several cores
  std::vector<EndedSemaphore> ended_semaphores_;
  std::vector<EndedMemory> ended_memories_;
  // By place as the module has it, and semaphore.
  std::map<std::pair<std::string, std::string>, LeftDma> left_dmas_;
  std::map<std::string, LeftCount> left_counts_;
  // And what is copied, from where to where: once for both ends.
  std::map<std::tuple<std::string, std::string, std::string>, Outlived> outlived_;
};

}  // namespace millrace::checkers
