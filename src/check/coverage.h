// SPDX-License-Identifier: Apache-2.0
// uncovered.output: elements of an output that nobody has written when the kernel ends (S7.8).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "event/event.h"
#include "millrace/report.h"

namespace millrace::checkers {

class Coverage final : public event::Observer {
 public:
  void on(const event::RegionAllocated& e) override { names_[e.memory] = e.name; }
  void on(const event::NeverWritten& e) override;

  const std::vector<Finding>& findings() const { return findings_; }

 private:
  std::map<event::MemoryId, std::string> names_;
  std::vector<Finding> findings_;
};

}  // namespace millrace::checkers
