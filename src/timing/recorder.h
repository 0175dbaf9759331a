// SPDX-License-Identifier: Apache-2.0
// Watches one run and keeps what a modeled clock and a picture need: who did what after what, which slot held which
// block, what each wait proved.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "check/order.h"
#include "event/work.h"
#include "timing/trace.h"

namespace millrace::timing {

class Recorder final : public event::WorkObserver {
 public:
  // After so many things that cores did, the rest is left out, and the trace says so.
  explicit Recorder(std::size_t most = 20'000'000) : most_(most) {}

  using WorkObserver::on;
  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::RegionFreed& e) override;
  void on(const event::WindowBound& e) override;
  void on(const event::Access& e) override;
  void on(const event::Computed& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::Signalled& e) override;
  void on(const event::Waited& e) override;
  void on(const event::Blocked& e) override;
  void on(const event::StepBegan& e) override;
  void on(const event::ScopeBegan& e) override;

  Trace take();  // once, when the run is over

 private:
  struct Region {
    std::string name;
    event::MemoryKind kind = event::MemoryKind::kHbm;
    std::int64_t element_bytes = 4, bytes = 0;
    Shape shape;
    int device = 0, core = 0;
    bool counts_bytes = true;
    Index buffer = kNone;
    std::optional<Index> slot = {};  // all of the memory is this slot
  };
  struct Slots {        // of one core, between what others notice
    Index now = kNone;  // the compute that goes on
    std::set<Index> reads, writes;
    Index step = kNone;
    std::uint64_t pipeline_steps = 0;
  };

  Index core_of(int device, int core) const { return static_cast<Index>(device * cores_ + std::max(core, 0)); }
  Index core_of(const event::Agent& who) const { return core_of(who.device, who.core); }
  Region* region(event::MemoryId memory);
  Index semaphore(const event::Semaphore& s);
  Index block(Block b);
  bool full();
  void act(Index core, Action action);
  void flush(Index core);
  Compute& computing(Index core, event::PlaceId at);
  void give_buffer(Region& r, Index core);
  std::vector<Index> slots_of(const Region& r, const event::Box& box, const std::vector<event::Box>& more) const;
  Index life(Index buffer, Index slot, bool fresh);
  void touch(Index core, Index life, bool write);
  std::vector<Index> fetch(const event::End& end, Index copy, Index block);
  std::vector<Index> send(const event::End& end, Index copy);
  Copy copy_of(const event::DmaIssued& e, const Region& from, const Region& to);
  Block block_of(const event::Box& array, const Region& buffer) const;

  std::size_t most_, kept_ = 0;
  int cores_ = 1;
  Trace trace_;
  std::map<event::MemoryId, Region> regions_;
  std::map<event::Semaphore, Index> semaphores_;
  std::map<std::tuple<int, int, std::string>, Index> buffers_;  // by device, core and name
  std::map<Block, Index> blocks_;
  std::map<std::pair<Index, Index>, Index> holds_;  // buffer and slot: the life that is there now
  std::vector<Slots> slots_;                        // by core
  checkers::Order order_;
  std::map<event::Semaphore, std::vector<std::pair<event::DmaId, Index>>> open_;  // copies that nothing proves yet
  std::map<std::string, Index> letters_;
};

}  // namespace millrace::timing
