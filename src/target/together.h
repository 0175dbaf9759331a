// SPDX-License-Identifier: Apache-2.0
// Threads that are kept, to run one piece of work on all of them at once: what measurements of several cores need,
// which starting threads would drown.
#pragma once

#include <sched.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace millrace::target {

int cores();  // that this process may use; at least 1

class Together {
 public:
  explicit Together(int threads);  // the calling one and threads - 1 others; at least 1
  ~Together();
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;

  int threads() const { return static_cast<int>(others_.size()) + 1; }
  // work(0) on the calling thread, work(1) .. work(threads - 1) on the others, at once; back when all are done. `work`
  // must not throw. Not from two threads at a time.
  void run(const std::function<void(int)>& work);

 private:
  void serve(int index);
  void keep_apart();

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<unsigned> round_ = 0, left_ = 0;
  std::atomic<bool> over_ = false;
  std::vector<std::thread> others_;
  cpu_set_t allowed_{};  // processors that this process may use
  int here_ = -1;        // the processor that the others keep off
};

// The part of [0, n) that is thread `index`'s of `threads`: whole multiples of `grain` but for the last.
struct Part {
  std::size_t first, last;
};
Part part_of(std::size_t n, int index, int threads, std::size_t grain = 1);

}  // namespace millrace::target
