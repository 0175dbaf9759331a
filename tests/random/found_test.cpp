// SPDX-License-Identifier: Apache-2.0
// Programs on which something once did not agree, as they were minimised.
#include <gtest/gtest.h>

#include "judge.h"

namespace millrace::programs {
namespace {

using Kind = Step::Kind;

Program machine(int cores, bool devices) {
  Program p;
  p.cores = cores, p.devices = devices;
  p.memories = {{Memory::Kind::kInput, 1}, {Memory::Kind::kOutput, 1}, {Memory::Kind::kScratch, 2}};
  p.semaphores = {{true, 2}, {false, 1}};
  return p;
}

View rows(int memory, int slot, int row) { return {memory, {slot, 0}, {row, 0}, false, false}; }

Step start(int rows, View from, View to, int slot, int line) {
  Step s;
  s.kind = Kind::kStart, s.rows = rows, s.from = from, s.to = to, s.on = {0, {slot, 0}}, s.line = line;
  return s;
}

Step remote(Step s, int sends) {
  s.remote = true, s.sends = {0, {sends, 0}};
  return s;
}

Step await(int rows, int slot, int line) {
  Step s;
  s.kind = Kind::kAwait, s.rows = rows, s.on = {0, {slot, 0}}, s.line = line;
  return s;
}

Step counting(Kind kind, bool there, int line) {
  Step s;
  s.kind = kind, s.on = {1, {}}, s.remote = there, s.line = line;
  return s;
}

Step store(int rows, View to, int line) {
  Step s;
  s.kind = Kind::kStore, s.rows = rows, s.to = to, s.line = line;
  return s;
}

Step inside(Kind kind, int number, std::vector<Step> body) {
  Step s;
  s.kind = kind, s.times = number, s.condition = {Condition::Kind::kCore, number}, s.body = std::move(body);
  return s;
}

// Of 16 schedules each.
void expect_agreement(const Program& p) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    EXPECT_EQ(judge_schedules(p, seed, true).fault, "") << to_string(p);
    EXPECT_EQ(judge_races(p, seed).fault, "") << to_string(p);
  }
}

// Whether a DMA is left in all schedules or in some hung on who had come first in the run.
TEST(Found, WhatIsLeftBetweenTwoDevicesIsTheSameUnderEverySchedule) {
  Program p = machine(2, true);
  p.steps = {remote(start(2, rows(0, 0, 2), rows(2, 1, 3), 1, 1), 1), await(2, 1, 2)};
  expect_agreement(p);
}

TEST(Found, TheLastToRaiseASemaphoreIsTheSameUnderEverySchedule) {
  Program p = machine(2, true);
  p.steps = {
      inside(Kind::kIf, 0, {remote(start(1, rows(2, 0, 2), rows(2, 1, 1), 0, 5), 1), counting(Kind::kWait, false, 7)}),
      counting(Kind::kSignal, true, 8), inside(Kind::kIf, 1, {await(1, 0, 11), counting(Kind::kSignal, false, 13)})};
  expect_agreement(p);
}

TEST(Found, TheFirstOfSeveralStartsLeftIsThatOfTheFirstCore) {
  Program p = machine(2, true);
  p.steps = {inside(Kind::kIf, 0, {remote(start(3, rows(2, 0, 4), rows(2, 1, 5), 0, 1), 1)}),
             remote(start(1, rows(0, 0, 2), rows(2, 1, 0), 1, 1), 1)};
  expect_agreement(p);
}

// The lazy schedule moves the newest DMA first.
TEST(Found, TheFirstReadOfUndefinedElementsIsThatOfTheProgram) {
  Program p = machine(1, false);
  p.steps = {start(2, rows(2, 0, 1), rows(1, 0, 4), 1, 1), start(2, rows(2, 0, 0), rows(1, 0, 0), 1, 1),
             await(2, 1, 1)};
  expect_agreement(p);
}

// On a core that sends to another which does nothing itself.
TEST(Found, AnAwaitedReadIsInNoRaceThoughTheWriteBehindItIs) {
  Program p = machine(2, false);
  const View from = rows(2, 0, 3), to = rows(2, 1, 4);
  p.steps = {
      inside(Kind::kIf, 0,
             {inside(Kind::kLoop, 2, {store(3, from, 3), remote(start(3, from, to, 0, 4), 1), await(3, 1, 5)})})};
  expect_agreement(p);
}

}  // namespace
}  // namespace millrace::programs
