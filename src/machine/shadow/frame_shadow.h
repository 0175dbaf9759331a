// SPDX-License-Identifier: Apache-2.0
// The labels of the values in a core's frame: one a byte, so that bitcasts, packed words and copies stay exact. A unit
// of eight bytes without undefined ones is clean; while all are, nobody looks any further.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "machine/shadow/labels.h"
#include "program/instruction.h"

namespace millrace::machine::shadow {

class FrameShadow {
 public:
  explicit FrameShadow(std::size_t units) : dirty_(units, 0) {}

  bool clean() const { return count_ == 0; }
  bool clean(program::Slot slot, std::size_t bytes) const;
  // By byte; null where all of them are defined.
  const Label* labels(program::Slot slot, std::size_t bytes) const { return clean(slot, bytes) ? nullptr : at(slot); }
  void clear(program::Slot slot, std::size_t bytes);
  void assign(program::Slot slot, std::span<const Label> labels);
  void fill(program::Slot slot, std::size_t bytes, Label label);

 private:
  static constexpr std::size_t kUnit = 8;
  static std::size_t units(std::size_t bytes) { return (bytes + kUnit - 1) / kUnit; }
  struct Free {
    void operator()(Label* p) const { std::free(p); }
  };
  Label* at(program::Slot slot) const { return labels_.get() + slot * kUnit; }
  void require_labels();
  void mark(std::size_t unit, bool dirty);

  std::vector<unsigned char> dirty_;       // by unit
  std::size_t count_ = 0;                  // dirty units
  std::unique_ptr<Label[], Free> labels_;  // made at the first undefined value; the system gives zeroed pages as needed
};

}  // namespace millrace::machine::shadow
