// SPDX-License-Identifier: Apache-2.0
// What this machine can do at best, seen in the same run as what is measured against it: passing over memory with a
// given mix of reads and writes, and fused multiply-adds. Several ways of doing each are tried (vectors of the CPU's
// kinds, stores through the caches and past them), and the fastest is the one to be held against.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "target/together.h"

namespace millrace::target {

// Arrays of `bytes` bytes each, any alignment, apart from each other. Up to 4 are read and at most 1 written.
struct Streams {
  std::vector<const void*> reads;
  void* write = nullptr;  // null: none
  std::size_t bytes = 0;

  double traffic() const { return static_cast<double>(bytes) * static_cast<double>(reads.size() + (write ? 1 : 0)); }
};

// The way that does most in a second, of ways that took these seconds for that much work each.
std::size_t best_way(const std::vector<double>& seconds, const std::vector<double>& work);

// One pass over them, element by element, with the least arithmetic that uses what is read.
class MixLoop {
 public:
  // Tries each way `tries` times in turn, which overwrites what is written. Error(kUnsupported) for more streams than
  // it knows.
  MixLoop(Streams streams, Together& threads, int tries = 5);

  void run() const;                    // leaves the exclusive or of what was read, 0 where nothing was
  const std::string& variant() const;  // "512-bit vectors, stores past the caches"
  const Streams& streams() const { return streams_; }

  struct Way;                              // internal
  static std::vector<std::string> ways();  // that this CPU has
  void run_way(std::size_t index) const;   // one of them, for tests

 private:
  Streams streams_;
  Together& threads_;
  const Way* way_;
};

// Multiply-adds of f32 in registers alone.
class FmaLoop {
 public:
  explicit FmaLoop(Together& threads, int tries = 5);

  void run() const;
  double flops() const;  // of a run: two for each multiply-add of each element
  const std::string& variant() const;

  struct Way;  // internal

 private:
  Together& threads_;
  const Way* way_;
};

}  // namespace millrace::target
