// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/semaphores.h"

#include <algorithm>

namespace millrace::cpu {

void Semaphores::begin(int cores) {
  const std::scoped_lock lock(mutex_);
  waits_.clear();
  cores_ = cores, in_flight_ = 0, stuck_ = false;
}

void Semaphores::changed() {
  ++changes_;
  const auto met = [](const Wait& w) { return *w.count >= w.amount; };
  stuck_ = stuck_ || (cores_ > 0 && in_flight_ == 0 && waits_.size() == static_cast<std::size_t>(cores_) &&
                      std::ranges::none_of(waits_, met));
  if (stuck_ || std::ranges::any_of(waits_, met)) met_.notify_all();
}

void Semaphores::ended() {
  const std::scoped_lock lock(mutex_);
  --cores_;
  changed();
}

void Semaphores::raise(const Raise& r) {
  if (!r.count) return;
  const std::scoped_lock lock(mutex_);
  *r.count += r.amount;
  changed();
}

bool Semaphores::take(std::int64_t& count, std::int64_t amount) {
  constexpr int kLooks = 2'000;  // before it sleeps: copies take microseconds, waking up takes as long
  std::unique_lock lock(mutex_);
  for (int i = 0; i < kLooks && count < amount && (in_flight_ > 0 || cores_ > 1); ++i) {
    const std::uint64_t seen = changes_;
    lock.unlock();
    while (++i < kLooks && changes_ == seen) continue;
    lock.lock();
  }
  if (count < amount) {
    waits_.push_back({&count, amount});
    changed();
    met_.wait(lock, [&] { return count >= amount || stuck_; });
    if (count < amount) return false;
    std::erase_if(waits_,
                  [&](const Wait& w) { return w.count == &count; });  // its own core's: nobody else waits for it
  }
  count -= amount;
  return true;
}

std::int64_t Semaphores::read(const std::int64_t& count) {
  const std::scoped_lock lock(mutex_);
  return count;
}

void Semaphores::clear(std::span<std::int64_t> counts) {
  const std::scoped_lock lock(mutex_);
  std::ranges::fill(counts, 0);
}

void Semaphores::started() {
  const std::scoped_lock lock(mutex_);
  ++in_flight_;
}

void Semaphores::arrived(const Raises& raises) {
  const std::scoped_lock lock(mutex_);
  for (const Raise& r : raises)
    if (r.count) *r.count += r.amount;
  --in_flight_;
  changed();
}

}  // namespace millrace::cpu
