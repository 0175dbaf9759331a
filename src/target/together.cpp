// SPDX-License-Identifier: Apache-2.0
#include "target/together.h"

#include <pthread.h>

#include <algorithm>

#include "millrace/error.h"

namespace millrace::target {

namespace {

// Looks for a while before it sleeps: the next piece of work often comes within microseconds.
void await_change(const std::atomic<unsigned>& value, unsigned from) {
  constexpr int kLooks = 20'000;
  for (int i = 0; i < kLooks; ++i)
    if (value.load(std::memory_order_acquire) != from) return;
  value.wait(from, std::memory_order_acquire);
}

}  // namespace

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Together::Together(int threads) {
  if (threads < 1) throw Error(ErrorCode::kInternal, "Together: at least one thread");
  ::sched_getaffinity(0, sizeof allowed_, &allowed_);
  for (int i = 1; i < threads; ++i) others_.emplace_back([this, i] { serve(i); });
}

Together::~Together() {
  over_ = true;
  ++round_;
  round_.notify_all();
  for (std::thread& t : others_) t.join();
}

void Together::serve(int index) {
  for (unsigned seen = 0;; ++seen) {
    await_change(round_, seen);
    if (over_) return;
    (*work_)(index);
    if (--left_ == 0) left_.notify_one();
  }
}

// A thread that wakes is often put where the one that woke it runs, and short work is over before it is moved away:
// then two processors do the work of one.
void Together::keep_apart() {
  const int here = ::sched_getcpu();
  if (here < 0 || here == here_ || CPU_COUNT(&allowed_) < threads()) return;
  here_ = here;
  cpu_set_t elsewhere = allowed_;
  CPU_CLR(static_cast<std::size_t>(here), &elsewhere);
  for (std::thread& t : others_) ::pthread_setaffinity_np(t.native_handle(), sizeof elsewhere, &elsewhere);
}

void Together::run(const std::function<void(int)>& work) {
  if (!others_.empty()) keep_apart();
  work_ = &work;
  left_ = static_cast<unsigned>(others_.size());
  ++round_;
  round_.notify_all();
  work(0);
  for (unsigned left; (left = left_.load(std::memory_order_acquire)) != 0;) await_change(left_, left);
}

Part part_of(std::size_t n, int index, int threads, std::size_t grain) {
  const std::size_t grains = n / grain, t = static_cast<std::size_t>(threads), i = static_cast<std::size_t>(index);
  return {grains * i / t * grain, i + 1 == t ? n : grains * (i + 1) / t * grain};
}

}  // namespace millrace::target
