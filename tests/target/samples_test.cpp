// SPDX-License-Identifier: Apache-2.0
#include "target/samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "millrace/error.h"

namespace millrace::target {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<double> times(std::size_t n, double value) { return std::vector<double>(n, value); }

std::vector<double> with(std::vector<double> series, std::size_t from, std::size_t to, double factor) {
  for (std::size_t i = from; i < to; ++i) series[i] *= factor;
  return series;
}

TEST(Samples, SpreadsAreOfTheSortedValues) {
  const Spread odd = spread_of({5, 1, 4, 2, 3});
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.median, 3);
  EXPECT_EQ(odd.max, 5);
  EXPECT_EQ(odd.p90, 5);
  const Spread even = spread_of({10, 9, 8, 7, 6, 5, 4, 3, 2, 1});
  EXPECT_EQ(even.median, 5.5);
  EXPECT_EQ(even.p90, 9);
  EXPECT_THROW(spread_of({}), Error);
}

TEST(Samples, ASteadySeriesIsNotNoisy) {
  EXPECT_THAT(noise_in(times(20, 2)), IsEmpty());
  EXPECT_THAT(noise_in(with(times(20, 2), 3, 4, 100)), IsEmpty());  // one outlier in twenty
  EXPECT_THAT(noise_in(with(times(20, 2), 10, 20, 1.09)), IsEmpty());
}

TEST(Samples, WideAndDriftingSeriesAreNoisy) {
  const std::vector<double> steady = times(20, 2);
  EXPECT_THAT(noise_in(with(with(steady, 2, 5, 1.3), 15, 18, 1.3)), HasSubstr("p90 is 1.30 times the median"));
  EXPECT_THAT(noise_in(with(steady, 10, 20, 1.15)), HasSubstr("last half is 1.15 times"));
  EXPECT_THAT(noise_in(with(steady, 10, 20, 0.85)), HasSubstr("last half is 0.85 times"));
}

TEST(Samples, ContestantsTakeTurnsAndEachBeginsAsOftenAsTheOthers) {
  std::string order;
  double told = 0;
  const std::vector<Contestant> three{{"a", [&] { order += 'a'; }},
                                      {"b", [&] { order += 'b'; }, {}, 2},
                                      {"c", {}, [&] { return order += 'c', told += 1; }}};
  const Samples s = take_turns(three, 5, 7);
  EXPECT_EQ(order.substr(0, 12), "abbcbbcacabb");
  EXPECT_EQ(order.size(), 12u * 4);
  EXPECT_EQ(s.warm_ups, 5);
  EXPECT_THAT(s.milliseconds[2], ::testing::ElementsAre(6, 7, 8, 9, 10, 11, 12));  // five rounds did not count
  EXPECT_EQ(s.milliseconds[0].size(), 7u);
}

TEST(Samples, ASampleEndsWhenItHasTakenLongEnough) {
  int runs = 0;
  const auto slow = [&] {
    ++runs;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  take_turns({{"a", slow, {}, 1000, 1}}, 5, 5);
  EXPECT_EQ(runs, 10);
}

TEST(Samples, FewerThanFiveAreRefused) {
  const std::vector<Contestant> one{{"a", [] {}}};
  EXPECT_THROW(take_turns(one, 4, 5), Error);
  EXPECT_THROW(take_turns(one, 5, 4), Error);
}

TEST(Samples, ShortWorkIsRunSeveralTimes) {
  EXPECT_EQ(runs_for(0.1, 1), 10);
  EXPECT_EQ(runs_for(0.3, 1), 4);
  EXPECT_EQ(runs_for(5, 1), 1);
  EXPECT_EQ(runs_for(0, 1, 50), 50);
}

}  // namespace
}  // namespace millrace::target
