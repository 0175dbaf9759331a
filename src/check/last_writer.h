// SPDX-License-Identifier: Apache-2.0
// Remembers who wrote each element of the outputs last, as boxes in the order of their writing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "event/event.h"

namespace millrace::checkers {

struct LastWrite {
  event::Box box;
  event::PlaceId at = 0;
  std::uint64_t nth = 0;             // which execution of that place
  std::string from;                  // name of a DMA's source memory; empty for a store
  std::optional<event::Box> source;  // and the box there
  int source_rank = 0;
  std::vector<event::Box> more = {};  // of a write through a reshaped view: its other boxes
};

class LastWriter final : public event::Observer {
 public:
  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::Access& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::DmaWrote& e) override;

  // The last write of `output` ("out0") that touched this element.
  const LastWrite* find(const std::string& output, const std::vector<std::int64_t>& element) const;
  const event::Place& place(event::PlaceId at) const { return places_.at(at); }

 private:
  struct Region {
    std::string name;
    std::vector<LastWrite> writes;
  };
  std::vector<event::Place> places_;
  std::map<event::MemoryId, Region> regions_;
  std::map<event::DmaId, std::pair<event::DmaIssued, std::uint64_t>> issued_;  // and which execution
  std::map<event::PlaceId, std::uint64_t> executions_;
};

}  // namespace millrace::checkers
