// SPDX-License-Identifier: Apache-2.0
// Explicit movement: a thread that does copies, of windows and of the kernel's own DMAs, in the order in which it is
// told, while another thread computes. What it does is timed.
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
#include "target/cpu/semaphores.h"

namespace millrace::cpu {

// A stretch of real time, in nanoseconds since the run began.
struct Span {
  enum class Kind : std::uint8_t { kCopyIn, kCopyOut, kDma, kWait, kOwnWait, kBody };
  Kind kind = Kind::kBody;
  std::uint32_t of = 0;  // kCopyIn, kCopyOut, kWait: the window; kDma: Program::dmas; kOwnWait: the semaphore's memory
  std::uint32_t slot = 0;  // of the window; of the buffer that a DMA fills or empties
  std::int64_t step = 0;   // that asked for it, from 0
  std::int64_t begin = 0, end = 0;
  std::int64_t bytes = 0;  // of an own wait: the amount
  int core = 0;            // of all devices
};

// What is read is kept while it is written, where both lie in one memory.
void copy_apart(const machine::View& from, const machine::View& to);

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
  // A DMA of the kernel's own, which raises semaphores when it is done.
  void start(const machine::View& from, const machine::View& to, Span span, Semaphores& semaphores,
             const Raises& raises);
  void await(std::uint64_t copy, Span span);  // all up to that one are done then
  void drain();                               // waits until no copy is under way
  std::vector<Span> take();                   // all spans of the run so far, when no copy is under way
  void note(Span span) { noted_.push_back(span); }
  std::int64_t now() const { return std::chrono::nanoseconds(Clock::now() - began_).count(); }

 private:
  struct Job {
    machine::View from, to;
    Span span;
    Semaphores* semaphores = nullptr;
    Raises raises = {};
  };
  std::uint64_t start(Job job);
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
