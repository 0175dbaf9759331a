// SPDX-License-Identifier: Apache-2.0
// Writes the event stream as text, a line an event: what two runs are compared by, byte for byte.
#pragma once

#include <string>

#include "event/event.h"

namespace millrace::event {

class StreamText final : public Observer {
 public:
  const std::string& text() const { return text_; }

  void on(const RegionAllocated& e) override;
  void on(const RegionFreed& e) override;
  void on(const Access& e) override;
  void on(const DmaIssued& e) override;
  void on(const DmaRead& e) override;
  void on(const DmaWrote& e) override;
  void on(const DmaSignalled& e) override;
  void on(const Signalled& e) override;
  void on(const SemaphoreRead& e) override;
  void on(const Waited& e) override;
  void on(const Blocked& e) override;
  void on(const WindowBound& e) override;
  void on(const WindowEntered& e) override;
  void on(const StepBegan& e) override;
  void on(const StepEnded& e) override;
  void on(const ScopeBegan& e) override;
  void on(const ScopeEnded& e) override;
  void on(const UndefinedRead& e) override;
  void on(const UndefinedUsed& e) override;
  void on(const NeverWritten& e) override;
  void on(const KernelEnded& e) override;

 private:
  std::string text_;
};

}  // namespace millrace::event
