// SPDX-License-Identifier: Apache-2.0
// Waits that are met, and waits that never can be: nobody sleeps for ever.
#include "target/cpu/semaphores.h"

#include <gtest/gtest.h>

#include <thread>

namespace millrace::cpu {
namespace {

TEST(CpuSemaphores, AWaitTakesWhatIsThere) {
  Semaphores s;
  s.begin(1);
  std::int64_t count = 0;
  s.raise({&count, 5});
  EXPECT_TRUE(s.take(count, 3));
  EXPECT_EQ(s.read(count), 2);
}

TEST(CpuSemaphores, AnotherCoreOrACopyMeetsAWait) {
  Semaphores s;
  s.begin(2);
  std::int64_t of_core = 0, of_copy = 0;
  s.started();
  std::jthread other([&] {
    s.raise({&of_core, 1});
    s.arrived({Raise{&of_copy, 64}, Raise{}});
    s.ended();
  });
  EXPECT_TRUE(s.take(of_core, 1));
  EXPECT_TRUE(s.take(of_copy, 64));
}

TEST(CpuSemaphores, NobodyIsLeftToMeetAWait) {
  Semaphores s;
  s.begin(1);
  std::int64_t count = 2;
  EXPECT_FALSE(s.take(count, 3));
  EXPECT_EQ(s.read(count), 2);  // nothing is taken
}

TEST(CpuSemaphores, ACopyThatBringsTooLittleMeetsNoWait) {
  Semaphores s;
  s.begin(1);
  std::int64_t count = 0;
  s.started();
  std::jthread copies([&] { s.arrived({Raise{&count, 63}, Raise{}}); });
  EXPECT_FALSE(s.take(count, 64));
}

TEST(CpuSemaphores, CoresThatWaitForEachOtherAreAllTold) {
  Semaphores s;
  s.begin(3);
  std::int64_t a = 0, b = 0;
  bool first = true, second = true;
  {
    std::jthread one([&] { first = s.take(a, 1), s.ended(); });
    std::jthread two([&] { second = s.take(b, 1), s.ended(); });
    s.ended();  // the third is through, and raised nothing
  }
  EXPECT_FALSE(first);
  EXPECT_FALSE(second);
}

TEST(CpuSemaphores, ARunBeginsAnew) {
  Semaphores s;
  s.begin(1);
  std::int64_t count = 0;
  EXPECT_FALSE(s.take(count, 1));
  s.begin(1);
  count = 1;
  EXPECT_TRUE(s.take(count, 1));
}

}  // namespace
}  // namespace millrace::cpu
