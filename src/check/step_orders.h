// SPDX-License-Identifier: Apache-2.0
// The rules of window_rules.h in the other orders that the steps of a grid with parallel axes may take (S5.11): what
// the windows show is a matter of the step alone, so what they would show in any order can be worked out from one run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "check/any_order.h"
#include "event/event.h"

namespace millrace::checkers {

class StepOrders final : public event::Observer {
 public:
  // By axis of the grid. Where none is parallel nothing is kept.
  explicit StepOrders(std::vector<bool> parallel);
  void on(const event::WindowBound& e) override;
  void on(const event::WindowEntered& e) override;
  void on(const event::StepBegan& e) override;
  void on(const event::DmaIssued& e) override {
    if (any_parallel_ && e.window) moved(e);
  }

  // Each once a window; those that this run's own order has may be among them.
  //  * revisit.output: exact.
  //  * alias.hazard: exact where the steps that show either block stay together in every order; else all orders are
  //    tried, up to kMostOrders of them (times steps). Windows of other block sizes: up to kMostPairs pairs of blocks.
  // Nothing for a core of more than kMostSteps.
  std::vector<Finding> findings() const;

  static constexpr std::size_t kMostSteps = std::size_t{1} << 20, kMostPairs = 4'000'000;
  static constexpr std::uint64_t kMostOrders = 1'000'000;

 private:
  using Block = std::vector<std::int64_t>;
  using Set = std::vector<AnyOrder::Position>;
  struct Window {
    event::WindowBound bound;
    std::vector<std::pair<std::size_t, Block>> entered;  // from which of the core's steps on
    std::map<Block, event::Box> boxes;                   // in the array, of what was moved
  };
  struct Core {
    std::vector<Block> steps;
    std::map<std::uint32_t, Window> windows;
  };

  void moved(const event::DmaIssued& e);
  void judge(const Core& core, std::vector<Finding>& findings) const;
  static std::optional<Finding> revisited(const AnyOrder& orders, const Window& out, const std::map<Block, Set>& shown);
  static std::optional<Finding> replaced(const AnyOrder& orders, const Window& in, const std::map<Block, Set>& reads,
                                         const Window& out, const std::map<Block, Set>& writes);

  std::vector<bool> parallel_;
  bool any_parallel_;
  std::map<std::pair<int, int>, Core> cores_;  // by device and core
};

}  // namespace millrace::checkers
