// SPDX-License-Identifier: Apache-2.0
#include "c_api/meeting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace millrace::c_api {
namespace {

using testing::HasSubstr;

constexpr double kLong = 600;  // seconds; nobody waits so long

// An input whose data says which device brought it.
Operands brought_by(std::vector<int>& numbers, std::size_t device) {
  return {{{&numbers[device], MILLRACE_I32, 0, nullptr}}, {}};
}

// What each device is told, a thread each.
std::vector<std::string> meet(Meetings& meetings, std::size_t devices, const Meetings::Run& run, int rounds = 1) {
  std::vector<std::string> told(devices);
  std::vector<int> numbers(devices);
  std::vector<std::thread> threads;
  for (std::size_t d = 0; d < devices; ++d) {
    numbers[d] = static_cast<int>(d);
    threads.emplace_back([&, d] {
      try {
        for (int i = 0; i < rounds; ++i) meetings.run({7, 3}, devices, d, brought_by(numbers, d), run, kLong);
        told[d] = "through";
      } catch (const Error& error) {
        told[d] = error.what();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  return told;
}

TEST(Meeting, TheLastOneRunsForAllInTheOrderOfTheDevices) {
  Meetings meetings;
  int runs = 0;
  bool ordered = true;
  const auto told = meet(
      meetings, 8,
      [&](const Operands& all) {
        ++runs;
        for (std::size_t d = 0; d < all.inputs.size(); ++d)
          ordered &= *static_cast<int*>(all.inputs[d].data) == static_cast<int>(d);
        ordered &= all.inputs.size() == 8;
      },
      50);
  EXPECT_EQ(runs, 50);
  EXPECT_TRUE(ordered);
  EXPECT_THAT(told, testing::Each("through"));
}

TEST(Meeting, AnErrorReachesEveryDeviceAndTheNextMeetingIsFresh) {
  Meetings meetings;
  const auto told =
      meet(meetings, 4, [](const Operands&) { throw Error(ErrorCode::kFinding, "the kernel is faulty"); });
  EXPECT_THAT(told, testing::Each("the kernel is faulty"));
  EXPECT_THAT(meet(meetings, 4, [](const Operands&) {}), testing::Each("through"));
}

TEST(Meeting, WhoDoesNotComeIsNamed) {
  Meetings meetings;
  std::vector<int> numbers = {0, 1};
  try {
    meetings.run(
        {1, 1}, 2, 1, brought_by(numbers, 1), [](const Operands&) { FAIL(); }, 0.01);
    FAIL() << "one of two devices is no meeting";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUser);
    EXPECT_THAT(error.what(), HasSubstr("1 of 2 devices came to this kernel within 0.01 s; missing: 0"));
  }
  EXPECT_THAT(meet(meetings, 2, [](const Operands&) {}), testing::Each("through"));
}

TEST(Meeting, ADeviceThatTheMeshDoesNotHaveIsRefused) {
  Meetings meetings;
  std::vector<int> numbers(3);
  EXPECT_THROW(meetings.run(
                   {1, 1}, 2, 2, brought_by(numbers, 2), [](const Operands&) {}, kLong),
               Error);
}

}  // namespace
}  // namespace millrace::c_api
