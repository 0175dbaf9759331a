// SPDX-License-Identifier: Apache-2.0
// What is kept of DMAs on their way, against a map from their numbers.
#include "check/in_flight.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace millrace::test {
namespace {

using checkers::InFlight;

TEST(InFlight, WhatComesAndGoesInAnyOrderIsFoundByItsNumber) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::mt19937_64 random(seed);
    InFlight<int> ring;
    std::map<event::DmaId, int> map;
    event::DmaId next = random() % 3;
    for (int step = 0; step < 500; ++step) {
      if (map.empty() || random() % 2 == 0) {
        ring.add(next) = step, map[next] = step;
        next += 1 + random() % 2;  // some numbers are never heard of
      } else {
        const auto gone = std::next(map.begin(), static_cast<std::ptrdiff_t>(random() % map.size()));
        ring.remove(gone->first);
        EXPECT_THROW(ring.at(gone->first), Error);
        map.erase(gone);
      }
      ASSERT_EQ(ring.empty(), map.empty()) << "seed " << seed;
      if (!map.empty()) ASSERT_EQ(ring.oldest(), map.begin()->first) << "seed " << seed;
      for (const auto& [dma, value] : map) ASSERT_EQ(ring.at(dma), value) << "seed " << seed;
    }
  }
}

TEST(InFlight, NumbersDoNotGoBack) {
  InFlight<int> ring;
  ring.add(5), ring.add(7);
  EXPECT_THROW(ring.add(4), Error);
}

}  // namespace
}  // namespace millrace::test
