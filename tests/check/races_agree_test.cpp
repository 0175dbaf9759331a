// SPDX-License-Identifier: Apache-2.0
// The race checker for daily use against the plain one, on random streams of events: starts, moves, waits, signals and
// accesses in any order that a machine could run. One seed is one stream.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "check/plain_races.h"
#include "check/races.h"

namespace millrace::test {
namespace {

using namespace event;

constexpr int kMemories = 3, kPlaces = 12;

// Sends the same random events to both, keeping to what a run can do: moves follow starts, reads come before writes,
// waits return only where the semaphore holds enough.
class Stream {
 public:
  Stream(std::uint64_t seed, std::vector<Observer*> observers, int cores = 1, bool remote = false)
      : random_(seed), observers_(std::move(observers)), cores_(cores), remote_(remote) {}

  void run(int events) {
    std::vector<Place> places;
    for (int p = 0; p < kPlaces; ++p) places.push_back({"k.py:" + std::to_string(p), ""});
    tell(RunBegan{places, 1, cores_});
    for (MemoryId m = 0; m < kMemories; ++m)
      tell(RegionAllocated{m, "scoped" + std::to_string(m), MemoryKind::kVmem, DType::f32, false, {8}, 0});
    for (int i = 0; i < events; ++i) one();
    while (!live_.empty()) move(0);
  }

 private:
  struct Live {
    DmaIssued issued;
    int stage = 0;
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  // Two semaphores a core; semaphore s is core s / 2's.
  std::uint32_t semaphore_of(int core) { return static_cast<std::uint32_t>(2 * core + pick(2)); }
  PlaceId place() { return static_cast<PlaceId>(pick(kPlaces)); }
  MemoryId memory() { return static_cast<MemoryId>(pick(kMemories)); }
  Box box() {
    const int begin = pick(8);
    Box b{1, {}};
    b.ranges[0] = {begin, begin + 1 + pick(8 - begin), 1 + pick(2)};
    return b;
  }
  template <class E>
  void tell(const E& e) {
    for (Observer* o : observers_) o->on(e);
  }

  void one() {
    switch (pick(8)) {
      case 0:
      case 1: return start();
      case 2:
      case 3:
        if (!live_.empty()) move(static_cast<std::size_t>(pick(static_cast<int>(live_.size()))));
        return;
      case 4:
      case 5: return wait();
      case 6:
        if (pick(4) == 0) signal();
        return;
      default:
        tell(Access{{0, pick(cores_), {}}, memory(), box(), pick(2) ? AccessKind::kRead : AccessKind::kWrite, place()});
    }
  }

  void start() {
    const int core = pick(cores_);
    const bool remote = remote_ && pick(2) == 0;
    const Semaphore s{100, semaphore_of(remote ? pick(cores_) : core)};
    const std::int64_t bytes = 32 * (1 + pick(3));
    DmaIssued e{next_++, {0, core, {}}, {memory(), box()}, {memory(), box()}, s, bytes, {}, place()};
    if (remote) e.sends = Semaphore{100, semaphore_of(core)};
    live_.push_back({e});
    tell(e);
  }

  void move(std::size_t which) {
    Live& dma = live_[which];
    if (dma.stage++ == 0) {
      if (dma.issued.sends) held_[dma.issued.sends->element] += dma.issued.bytes;
      return tell(DmaRead{dma.issued.dma});
    }
    tell(DmaWrote{dma.issued.dma});
    held_[dma.issued.raises.element] += dma.issued.bytes;
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(which));
  }

  void wait() {
    const int core = pick(cores_);
    const Semaphore s{100, semaphore_of(core)};
    const std::int64_t amount = 32 * (1 + pick(3));
    if (held_[s.element] < amount) return;
    held_[s.element] -= amount;
    tell(Waited{{0, core, {}}, s, amount, place()});
  }

  void signal() {
    const Semaphore s{100, semaphore_of(pick(cores_))};
    held_[s.element] += 32;
    tell(Signalled{{0, pick(cores_), {}}, s, 32, place()});
  }

  std::mt19937_64 random_;
  std::vector<Observer*> observers_;
  std::vector<Live> live_;
  std::map<std::uint32_t, std::int64_t> held_;
  int cores_;
  bool remote_;
  DmaId next_ = 0;
};

std::string text_of(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += f.message + " " + f.schedules + " " + std::to_string(f.first->nth) + " " + std::to_string(f.second->nth) +
            " " + std::to_string(f.first->core) + " " + std::to_string(f.second->core) + "\n";
  return text;
}

struct Counts {
  std::size_t racy = 0, clean = 0;
};

Counts agree(std::uint64_t streams, int cores, bool remote) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < streams; ++seed) {
    checkers::PlainRaces plain;
    checkers::Races fast;
    Stream(seed, {&plain, &fast}, cores, remote).run(5 + static_cast<int>(seed % 60));
    EXPECT_EQ(text_of(fast.findings()), text_of(plain.findings())) << "seed " << seed << ", " << cores << " cores";
    if (testing::Test::HasFailure()) break;
    ++(plain.findings().empty() ? counts.clean : counts.racy);
  }
  return counts;
}

TEST(Races, AgreeWithThePlainOnesOnTwoThousandRandomStreams) {
  const Counts counts = agree(2000, 1, false);
  EXPECT_GT(counts.racy, 500u);
  EXPECT_GT(counts.clean, 50u);
}

TEST(Races, AgreeWithThePlainOnesWhereACoreCopiesToItselfAsToAnother) {
  const Counts counts = agree(1000, 1, true);
  EXPECT_GT(counts.racy, 250u);
  EXPECT_GT(counts.clean, 25u);
}

TEST(Races, AgreeWithThePlainOnesOnSeveralCores) {
  for (int cores : {2, 3}) {
    const Counts counts = agree(700, cores, true);
    EXPECT_GT(counts.racy, 150u) << cores;
    EXPECT_GT(counts.clean, 10u) << cores;
  }
}

}  // namespace
}  // namespace millrace::test
