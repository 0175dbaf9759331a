// SPDX-License-Identifier: Apache-2.0
// Explicit movement: a thread that copies blocks between arrays and windows, in the order in which it is told, while
// another thread computes. What it does is timed.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "machine/view.h"

namespace millrace::cpu {

// A stretch of real time, in nanoseconds since the run began.
struct Span {
  enum class Kind : std::uint8_t { kCopyIn, kCopyOut, kWait, kBody };
  Kind kind = Kind::kBody;
  std::uint32_t window = 0;  // of a copy or a wait
  std::uint32_t slot = 0;
  std::int64_t step = 0;  // that asked for it, from 0
  std::int64_t begin = 0, end = 0;
  std::int64_t bytes = 0;
};

class Copies {
 public:
  using Clock = std::chrono::steady_clock;

  Copies();
  ~Copies();
  Copies(const Copies&) = delete;
  Copies& operator=(const Copies&) = delete;

  void begin(Clock::time_point began);  // a run; no copy may be under way
  // The number of the copy, from 1 on in each run.
  std::uint64_t start(const machine::View& from, const machine::View& to, Span span);
  void await(std::uint64_t copy, Span span);  // all up to that one are done then
  void drain();                               // waits until no copy is under way
  std::vector<Span> take();                   // all spans of the run so far, when no copy is under way
  void note(Span span) { noted_.push_back(span); }
  std::int64_t now() const { return std::chrono::nanoseconds(Clock::now() - began_).count(); }

 private:
  struct Job {
    machine::View from, to;
    Span span;
  };
  void work(std::stop_token stop);

  Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable_any asked_, done_;
  std::deque<Job> jobs_;
  std::atomic<std::uint64_t> started_ = 0, finished_ = 0;
  std::vector<Span> copied_;  // by the thread
  std::vector<Span> noted_;   // by the computing one
  std::jthread thread_;
};

}  // namespace millrace::cpu
