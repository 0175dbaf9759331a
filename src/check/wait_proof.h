// SPDX-License-Identifier: Apache-2.0
// What each wait of a kernel proved, and what it left open: by the same order of events as the race checker's (S4.1).
// The waits of one place on one semaphore are one entry, so that a loop of any length is a line.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/order.h"
#include "event/event.h"

namespace millrace::checkers {

// Of the DMAs started at one place, those that the waits of another place proved, or left open.
struct WaitedDmas {
  std::string at, where;         // of the start
  std::uint64_t dmas = 0;        // how many; one that several executions leave open counts for each of them
  std::uint64_t waits = 0;       // by how many executions of the wait
  std::uint64_t first_wait = 0;  // the first of those executions, from 0
  std::uint64_t first_dma = 0;   // and which execution of the start it was about
};

struct WaitSite {
  std::string at, where;                  // of the wait
  std::string semaphore;                  // "scratch1", of an array without the element
  bool bytes = true;                      // it waits for bytes, else for a count
  std::uint64_t waits = 0;                // executions
  std::int64_t least = 0, most = 0;       // what they waited for
  std::uint64_t proved_none = 0;          // of the executions
  std::uint64_t first_without_proof = 0;  // the first of those
  std::vector<WaitedDmas> proved, open;   // in the order in which they were met
};

// Listens to one run. Left out are waits of the grid's own window pipeline, which is right by construction, and those
// for the sending half of a remote copy, which prove no more than that the source has been read.
class WaitProofs final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::Signalled& e) override { order_.signalled(e); }
  void on(const event::Waited& e) override;

  // In the order of their first execution.
  std::vector<WaitSite> sites() const;

 private:
  struct Started {
    event::DmaId dma;
    event::Agent by;
    event::PlaceId at;
    std::uint64_t nth;
  };
  struct Name {
    std::string name;
    bool bytes = true;
  };
  struct Site {
    WaitSite site;
    std::map<event::PlaceId, std::size_t> proved, open;  // places in the lists of `site`
  };
  Site& site_of(const event::Waited& e);
  // Adds the DMAs that one execution of a wait proved, or left open, to the list of those.
  void add(const std::vector<Started>& dmas, std::uint64_t wait, std::vector<WaitedDmas>& list,
           std::map<event::PlaceId, std::size_t>& index) const;

  Order order_;
  std::vector<event::Place> places_;
  std::map<event::MemoryId, Name> names_;
  std::map<event::PlaceId, std::uint64_t> starts_;
  std::map<event::Semaphore, std::vector<Started>> in_flight_;
  std::set<event::Semaphore> left_out_;  // of the grid's own pipeline, or of the sending half
  std::map<std::pair<event::PlaceId, std::string>, std::size_t> index_;
  std::vector<Site> sites_;
};

}  // namespace millrace::checkers
