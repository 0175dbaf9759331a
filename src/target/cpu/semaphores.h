// SPDX-License-Identifier: Apache-2.0
// The semaphores of a run, raised by its cores and by the threads that copy for them, and what tells a wait that will
// be met from one that never can be. The counts lie in the memories of their cores; only what is here touches them.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace millrace::cpu {

struct Raise {
  std::int64_t* count = nullptr;  // null: nothing is raised
  std::int64_t amount = 0;
};
using Raises = std::array<Raise, 2>;  // what tells that a DMA is complete, and, of a remote one, that it has read

class Semaphores {
 public:
  void begin(int cores);  // a run of so many
  void ended();           // a core is through, or has failed

  void raise(const Raise& r);
  // Waits until `count` is `amount` or more, and takes that off. False where it never will be: every core that is not
  // through waits in vain, and no DMA is in flight.
  bool take(std::int64_t& count, std::int64_t amount);
  std::int64_t read(const std::int64_t& count);
  void clear(std::span<std::int64_t> counts);

  void started();                      // a DMA is in flight
  void arrived(const Raises& raises);  // it no longer is

 private:
  struct Wait {
    const std::int64_t* count;
    std::int64_t amount;
  };
  void changed();  // with the lock

  std::mutex mutex_;
  std::condition_variable met_;
  std::atomic<std::uint64_t> changes_ = 0;
  std::vector<Wait> waits_;
  int cores_ = 0;
  std::int64_t in_flight_ = 0;
  bool stuck_ = false;
};

}  // namespace millrace::cpu
