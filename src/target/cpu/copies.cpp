// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/copies.h"

#include <cstring>

#include "machine/copy.h"

namespace millrace::cpu {

namespace {

// Looks for a while before it sleeps: copies and steps take microseconds, waking up takes as long.
void look_for(const auto& holds) {
  constexpr int kLooks = 2'000;
  for (int i = 0; i < kLooks && !holds(); ++i) continue;
}

}  // namespace

Copies::Copies() : thread_([this](std::stop_token stop) { work(std::move(stop)); }) {}

Copies::~Copies() {
  thread_.request_stop();
  asked_.notify_all();
}

void Copies::begin(Clock::time_point began) {
  const std::scoped_lock lock(mutex_);
  began_ = began;
  started_ = 0, finished_ = 0;
  copied_.clear(), noted_.clear();
}

void copy_apart(const machine::View& from, const machine::View& to) {
  if (from.memory->read() != to.memory->read()) return machine::copy(from, to);
  const machine::Memory& whole = *from.memory;
  std::int64_t span = 1;
  for (std::size_t d = 0; d < whole.shape.size(); ++d) span += (whole.shape[d] - 1) * whole.strides[d];
  std::vector<std::byte> aside(static_cast<std::size_t>(span) * whole.element_bytes);
  std::memcpy(aside.data(), from.memory->read(), aside.size());
  const auto before = machine::Memory::at({whole.name, whole.kind, whole.element, whole.shape}, aside.data());
  before->strides = whole.strides;
  machine::View kept = from;
  kept.memory = before.get();
  machine::copy(kept, to);
}

std::uint64_t Copies::start(const machine::View& from, const machine::View& to, Span span) {
  return start({from, to, span});
}

void Copies::start(const machine::View& from, const machine::View& to, Span span, Semaphores& semaphores,
                   const Raises& raises) {
  semaphores.started();
  start({from, to, span, &semaphores, raises});
}

std::uint64_t Copies::start(Job job) {
  std::uint64_t number = 0;
  {
    const std::scoped_lock lock(mutex_);
    jobs_.push_back(std::move(job));
    number = ++started_;
  }
  asked_.notify_one();
  return number;
}

void Copies::await(std::uint64_t copy, Span span) {
  span.begin = now();
  look_for([&] { return finished_ >= copy; });
  {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return finished_ >= copy; });
  }
  span.end = now();
  noted_.push_back(span);
}

void Copies::drain() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [&] { return finished_ == started_; });
}

std::vector<Span> Copies::take() {
  const std::scoped_lock lock(mutex_);
  std::vector<Span> all = std::move(noted_);
  all.insert(all.end(), copied_.begin(), copied_.end());
  noted_.clear(), copied_.clear();
  return all;
}

void Copies::work(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  const auto look = [&] {
    const std::uint64_t done = finished_;
    lock.unlock();
    look_for([&] { return started_ != done || stop.stop_requested(); });
    lock.lock();
    return true;
  };
  while (look() && asked_.wait(lock, stop, [&] { return !jobs_.empty(); })) {
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job.span.begin = now();
    copy_apart(job.from, job.to);
    job.span.end = now();
    if (job.semaphores) job.semaphores->arrived(job.raises);
    lock.lock();
    copied_.push_back(job.span);
    ++finished_;
    done_.notify_all();
  }
}

}  // namespace millrace::cpu
