// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/calibrate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <vector>

#include "millrace/error.h"
#include "target/cpu/mix_ways.h"

namespace millrace::target {

namespace {

constexpr std::size_t kMostReads = 4;
constexpr std::size_t kLine = 64, kGrain = 4096;

// The least time of each of so many, tried `tries` times in turn.
template <class Run>
std::vector<double> least_seconds(std::size_t count, int tries, const Run& run) {
  std::vector<double> least(count, 1e30);
  for (int t = 0; t < tries; ++t) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto before = std::chrono::steady_clock::now();
      run(i);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
      least[i] = std::min(least[i], took.count());
    }
  }
  return least;
}

template <class W>
std::vector<const W*> there(const std::vector<W>& all) {
  std::vector<const W*> out;
  for (const W& w : all)
    if (w.here()) out.push_back(&w);
  return out;
}

// What is not whole lines of the array written goes byte by byte.
void pass(const MixLoop::Way& way, const Streams& s, std::size_t first, std::size_t last) {
  std::array<const char*, kMostReads> reads{};
  for (std::size_t i = 0; i < s.reads.size(); ++i) reads[i] = static_cast<const char*>(s.reads[i]) + first;
  char* write = s.write ? static_cast<char*>(s.write) + first : nullptr;
  const std::size_t bytes = last - first, phase = write ? reinterpret_cast<std::uintptr_t>(write) % kLine : 0;
  const std::size_t head = std::min(bytes, phase ? kLine - phase : 0), body = (bytes - head) / kLine * kLine;
  const int count = static_cast<int>(s.reads.size());
  mix_bytes(reads.data(), count, write, 0, head);
  way.pass(reads.data(), count, write, head, head + body);
  mix_bytes(reads.data(), count, write, head + body, bytes);
}

void run_pass(const MixLoop::Way& way, const Streams& s, Together& threads) {
  threads.run([&](int i) {
    const Part part = part_of(s.bytes, i, threads.threads(), kGrain);
    pass(way, s, part.first, part.last);
  });
}

}  // namespace

std::size_t best_way(const std::vector<double>& seconds, const std::vector<double>& work) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < seconds.size(); ++i)
    if (work[i] * seconds[best] > work[best] * seconds[i]) best = i;
  return best;
}

MixLoop::MixLoop(Streams streams, Together& threads, int tries) : streams_(std::move(streams)), threads_(threads) {
  if (streams_.reads.size() > kMostReads || (streams_.reads.empty() && !streams_.write))
    throw Error(ErrorCode::kUnsupported, "a pass over memory takes 1 to 4 arrays to read, and at most 1 to write");
  const auto ways = there(mix_ways());
  const auto seconds =
      least_seconds(ways.size(), tries, [&](std::size_t i) { run_pass(*ways[i], streams_, threads_); });
  way_ = ways[best_way(seconds, std::vector<double>(ways.size(), 1))];
}

void MixLoop::run() const { run_pass(*way_, streams_, threads_); }

void MixLoop::run_way(std::size_t index) const { run_pass(*there(mix_ways()).at(index), streams_, threads_); }

const std::string& MixLoop::variant() const { return way_->name; }

std::vector<std::string> MixLoop::ways() {
  std::vector<std::string> names;
  for (const Way* w : there(mix_ways())) names.push_back(w->name);
  return names;
}

FmaLoop::FmaLoop(Together& threads, int tries) : threads_(threads) {
  const auto ways = there(fma_ways());
  std::vector<double> flops;  // of the same number of rounds: wide vectors do more in a round
  for (const Way* way : ways) flops.push_back(way->flops);
  const auto seconds =
      least_seconds(ways.size(), tries, [&](std::size_t i) { threads_.run([&](int) { ways[i]->run(); }); });
  way_ = ways[best_way(seconds, flops)];
}

void FmaLoop::run() const {
  threads_.run([this](int) { way_->run(); });
}

double FmaLoop::flops() const { return way_->flops * threads_.threads(); }

const std::string& FmaLoop::variant() const { return way_->name; }

}  // namespace millrace::target
