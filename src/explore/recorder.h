// SPDX-License-Identifier: Apache-2.0
// Records a run's skeleton.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "event/window_steps.h"
#include "explore/skeleton.h"

namespace millrace::explore {

class Recorder final : public event::Observer {
 public:
  // After the run. A run that neither ended nor was blocked is `cut`.
  Skeleton take();

  void on(const event::RunBegan& e) override;
  void on(const event::RegionAllocated& e) override;
  void on(const event::RegionFreed& e) override;
  void on(const event::StepBegan& e) override;
  void on(const event::WindowEntered& e) override { window_steps_.on(e); }
  void on(const event::Access& e) override;
  void on(const event::DmaIssued& e) override;
  void on(const event::Signalled& e) override;
  void on(const event::Waited& e) override;
  void on(const event::Blocked& e) override;
  void on(const event::KernelEnded&) override { ended_ = true; }

 private:
  std::uint32_t core_of(const event::Agent& who);
  SemaphoreId semaphore_of(const event::Semaphore& s);
  void add(const event::Agent& who, const Op& op);
  std::uint32_t number_of(const std::vector<std::int64_t>& step);

  Skeleton skeleton_;
  std::map<std::pair<int, int>, std::uint32_t> cores_;  // by device and core
  std::map<event::Semaphore, SemaphoreId> semaphores_;
  std::vector<bool> counts_bytes_;                                        // by memory
  std::map<std::tuple<int, int, std::string>, std::uint32_t> allocated_;  // by device, core and name: how many
  std::map<std::vector<std::int64_t>, std::uint32_t> steps_;            // of the grid: where they stand in the skeleton
  std::map<std::pair<int, int>, std::uint32_t> in_;                     // by device and core: the step that began last
  std::map<std::pair<int, int>, std::vector<std::uint32_t>> for_next_;  // DMAs of windows for the step that comes next
  event::WindowSteps window_steps_;
  bool ended_ = false;
};

}  // namespace millrace::explore
