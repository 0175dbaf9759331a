// SPDX-License-Identifier: Apache-2.0
#include "target/cpu/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

#include "millrace/error.h"

namespace millrace::target {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes noise(std::size_t n, std::uint32_t seed) {
  Bytes out(n);
  for (auto& b : out) b = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
  return out;
}

constexpr std::size_t kMargin = 64;
constexpr std::uint8_t kCanary = 0xA5;

// Each way over arrays that begin `shift` bytes off: what it wrote, from a margin before to a margin behind.
struct Pass {
  std::vector<Bytes> reads;
  Bytes write;
  Streams streams;

  Pass(int count, std::size_t bytes, std::size_t shift) : write(bytes + 2 * kMargin, kCanary) {
    streams.bytes = bytes;
    for (int i = 0; i < count; ++i) {
      reads.push_back(noise(bytes + kMargin, static_cast<std::uint32_t>(i) + 1));
      streams.reads.push_back(reads.back().data() + (shift + static_cast<std::size_t>(3 * i)) % kMargin);
    }
    streams.write = write.data() + shift;
  }

  Bytes expected(std::size_t shift) const {
    Bytes out(write.size(), kCanary);
    for (std::size_t i = 0; i < streams.bytes; ++i) {
      out[shift + i] = 0;
      for (const void* r : streams.reads) out[shift + i] ^= static_cast<const std::uint8_t*>(r)[i];
    }
    return out;
  }
};

TEST(Calibrate, EveryWayPassesOverEveryByteOnce) {
  for (int threads : {1, 3}) {
    Together together(threads);
    for (int reads : {0, 1, 2, 3, 4}) {
      for (std::size_t bytes : {std::size_t{1}, std::size_t{100}, std::size_t{20'000}}) {
        for (std::size_t shift : {std::size_t{0}, std::size_t{4}, std::size_t{61}}) {
          Pass pass(reads, bytes, shift);
          const MixLoop loop(pass.streams, together, 1);
          for (std::size_t way = 0; way < MixLoop::ways().size(); ++way) {
            std::fill(pass.write.begin(), pass.write.end(), kCanary);
            loop.run_way(way);
            EXPECT_EQ(pass.write, pass.expected(shift))
                << MixLoop::ways()[way] << reads << " " << bytes << " " << shift;
          }
        }
      }
    }
  }
}

TEST(Calibrate, ReadingAloneWritesNothing) {
  Together together(2);
  Pass pass(2, 20'000, 5);
  pass.streams.write = nullptr;
  const MixLoop loop(pass.streams, together, 1);
  loop.run();
  EXPECT_THAT(pass.write, ::testing::Each(kCanary));
  EXPECT_EQ(pass.reads[0], noise(pass.reads[0].size(), 1));
}

TEST(Calibrate, TrafficIsOfAllStreams) {
  const char byte[8] = {};
  char out[8];
  EXPECT_EQ((Streams{{byte, byte}, out, 8}.traffic()), 24);
  EXPECT_EQ((Streams{{byte}, nullptr, 8}.traffic()), 8);
}

TEST(Calibrate, NamesTheWayItTook) {
  Together together(1);
  Pass pass(2, 4096, 0);
  EXPECT_THAT(MixLoop::ways(), ::testing::Contains(MixLoop(pass.streams, together, 1).variant()));
}

// A wide vector does more in the same time.
TEST(Calibrate, TheBestWayDoesMostInASecond) {
  EXPECT_EQ(best_way({1.0, 1.01, 1.5}, {1, 8, 16}), 2u);
  EXPECT_EQ(best_way({1.0, 1.01, 2.5}, {1, 8, 16}), 1u);
  EXPECT_EQ(best_way({2.0, 1.5, 1.6}, {1, 1, 1}), 1u);
}

TEST(Calibrate, MoreStreamsThanItKnowsAreRefused) {
  Together together(1);
  Pass pass(5, 64, 0);
  EXPECT_THROW(MixLoop(pass.streams, together, 1), Error);
  EXPECT_THROW(MixLoop({{}, nullptr, 64}, together, 1), Error);
}

TEST(Calibrate, AThreadMoreIsTwiceTheMultiplyAdds) {
  Together one(1), two(2);
  const FmaLoop alone(one, 1);
  alone.run();
  EXPECT_GT(alone.flops(), 1e6);
  EXPECT_FALSE(alone.variant().empty());
  const FmaLoop both(two, 1);
  if (both.variant() == alone.variant()) {
    EXPECT_EQ(both.flops(), 2 * alone.flops());
  }
}

}  // namespace
}  // namespace millrace::target
