// SPDX-License-Identifier: Apache-2.0
// The memories of a run. What nobody has written is poison: NaN, or an integer that nobody would write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event/event.h"
#include "machine/nest.h"
#include "machine/shadow/memory_shadow.h"
#include "machine/untouched.h"
#include "millrace/array.h"
#include "program/program.h"

namespace millrace::machine {

using mosaic::Element;

std::size_t bytes_in_memory(Element element);  // Error(kUnsupported) for one that no memory holds
std::size_t bytes_or_none(Element element);    // 0 for one that no memory holds
void fill_with_poison(Array& array);           // with that of elements of its size and kind
DType dtype_of(Element element);               // the array type whose elements look like this

// One allocation. Data memories have bytes, semaphores have counts.
struct Memory {
  event::MemoryId id = 0;
  std::string name;
  event::MemoryKind kind = event::MemoryKind::kVmem;
  Element element = Element::kF32;
  std::size_t element_bytes = 4;
  std::vector<std::int64_t> shape, strides;  // elements, row-major
  std::int64_t count = 0;
  std::vector<std::int64_t> counts;              // of semaphores
  bool written = false;                          // holds data from the start
  std::vector<std::string> also;                 // its other names
  int in_flight = 0;                             // transfers that read or write it
  bool early = false;                            // a semaphore that was raised before its scope began (S3.7)
  std::unique_ptr<shadow::MemoryShadow> shadow;  // in runs that keep definedness

  // A fresh memory full of poison (semaphores: zero).
  static std::unique_ptr<Memory> fresh(const program::MemorySlot& slot);
  // A memory over the bytes of `array`, which outlives it; filled with poison, at the latest by settle().
  static std::unique_ptr<Memory> into(const program::MemorySlot& slot, Array& array);
  // A memory that shows `array` and copies it only if somebody writes.
  static std::unique_ptr<Memory> over(const program::MemorySlot& slot, const Array& array);
  // A memory over bytes of the caller's, which outlive it, as they are; move_to() shows other ones, and `strides` may
  // be set to what lies there.
  static std::unique_ptr<Memory> at(const program::MemorySlot& slot, std::byte* data);
  void move_to(std::byte* data) { data_ = writable_ = data; }

  const std::byte* read() {
    if (untouched_) settle();
    return data_;
  }
  std::byte* write() {
    if (untouched_) settle();
    if (!writable_) own();
    return writable_;
  }
  // For a write of exactly these runs, side b of which is here, `at` bytes from the beginning: the address of `at`.
  std::byte* write(const Runs& runs, std::int64_t at) {
    if (!untouched_) return write() + at;
    const auto wrote = [&](std::int64_t, std::int64_t b) { untouched_->write(at + b, at + b + runs.length); };
    walk(runs.loops, 0, 0, 0, runs.loops.rank, wrote);
    return writable_ + at;
  }
  // Lays the poison down that is still to do.
  void settle();
  // Nobody has written it any more, or it lies beyond the edge of an array.
  void poison(shadow::Label why) {
    fill_with_poison(write(), static_cast<std::size_t>(count) * element_bytes, element);
    if (shadow) shadow->fill(why);
  }
  bool counts_bytes() const { return element == Element::kDmaSemaphore; }

 private:
  void own();

  std::vector<std::byte, detail::ElementAllocator> owned_;  // growing leaves bytes unset
  const std::byte* data_ = nullptr;
  std::byte* writable_ = nullptr;
  std::unique_ptr<Untouched> untouched_;
};

}  // namespace millrace::machine
