// SPDX-License-Identifier: Apache-2.0
// Clause S4.2 where several cores run. What comes before what is known when the run is over (S4.5), so accesses are
// kept until then; each is then held against those that share its elements and are not settled. Finds what PlainRaces
// finds; the tests hold one against the other. Memory grows with the accesses of the run, about 100 bytes each.
#pragma once

#include <map>
#include <vector>

#include "check/race_pairs.h"
#include "check/vector_order.h"

namespace millrace::checkers {

class VectorRaces final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override { accesses_.on(e), order_.begin(e.devices, e.cores); }
  void on(const event::RegionAllocated& e) override { accesses_.on(e); }
  void on(const event::StepBegan& e) override { accesses_.on(e); }
  void on(const event::WindowEntered& e) override { accesses_.on(e); }
  void on(const event::WindowBound& e) override { accesses_.on(e); }
  void on(const event::Access& e) override { take(e); }
  void on(const event::DmaIssued& e) override { order_.issued(e), accesses_.on(e); }
  void on(const event::DmaRead& e) override { take(e); }
  void on(const event::DmaWrote& e) override { take(e); }
  void on(const event::Signalled& e) override { order_.signalled(e); }
  void on(const event::Waited& e) override { order_.waited(e); }

  const Accesses& accesses() const { return accesses_; }
  std::vector<Finding> findings();

 private:
  // The elements of an access, kept once for each memory.
  struct Elements {
    event::Box box;
    const std::vector<event::Box>* more;
  };
  struct Kept {
    event::Agent who;
    VectorOrder::Stamp stamp;
    std::uint64_t nth, order;
    const std::vector<std::int64_t>* step;
    event::PlaceId at;
    std::uint32_t elements;
    event::AccessKind kind;
    bool window;
  };
  struct OfMemory {
    std::map<std::vector<std::int64_t>, std::uint32_t> numbers;  // of elements, by what they are
    std::vector<Elements> elements;
    std::vector<Kept> accesses;  // in the order of the run
  };

  void keep(event::MemoryId memory, const Seen& access);
  template <class Event>
  void take(const Event& e) {
    Seen access;
    keep(accesses_.fill(e, access), access);
  }
  static Seen seen(const OfMemory& m, const Kept& k);
  void judge(event::MemoryId memory, const OfMemory& m, RacePairs& pairs) const;

  VectorOrder order_;
  Accesses accesses_;
  std::map<event::MemoryId, OfMemory> memories_;
};

}  // namespace millrace::checkers
