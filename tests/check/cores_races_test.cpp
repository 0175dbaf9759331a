// SPDX-License-Identifier: Apache-2.0
// Races between cores and devices, each beside its correct twin, by both checkers and under every schedule.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/plain_races.h"
#include "check/races.h"
#include "runs.h"

namespace millrace::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const std::string kTile = "memref<8x128xf32, #tpu.memory_space<any>>";
const std::string kSlot = "memref<8x128xf32, #tpu.memory_space<vmem>>";
const std::string kDma = "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kCount = "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>";
const std::string kNext =
    "%one = arith.constant 1 : i32\n%two = arith.constant 2 : i32\n%d = \"tpu.device_id\"() : () -> i32\n"
    "%s = arith.addi %d, %one : i32\n%next = arith.remsi %s, %two : i32\n";
const std::string kSend = fmt::format(
    "\"tpu.enqueue_dma\"(%buf, %sent, %into, %arrived, %next) {{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}} : "
    "({0}, {1}, {0}, {1}, i32) -> ()\n",
    kSlot, kDma);
std::string wait(const std::string& semaphore) {
  return fmt::format(
      "\"tpu.wait_dma2\"({}, %buf, %into) {{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}} : ({}, {}, {}) -> ()\n",
      semaphore, kDma, kSlot, kSlot);
}
std::string load(const std::string& name, const std::string& from) {
  return fmt::format("{0} = vector.load {1}[%z, %z] : {2}, vector<8x128xf32>\n", name, from, kSlot);
}
std::string store(const std::string& value, const std::string& to) {
  return fmt::format(
      "\"tpu.vector_store\"({}, {}, %z, %z) {{add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = "
      "array<i32>}} : (vector<8x128xf32>, {}, index, index) -> ()\n",
      value, to, kSlot);
}
const std::string kSignalNext = fmt::format(
    "\"tpu.sem_signal\"(%told, %one, %next) {{operandSegmentSizes = array<i32: 1, 1, 1, 0>}} : ({}, i32, i32) -> ()\n",
    kCount);
const std::string kWaitTold = fmt::format("\"tpu.sem_wait\"(%told, %one) : ({}, i32) -> ()\n", kCount);

// What both checkers find, which must be the same under every schedule.
std::vector<Finding> races(const std::string& body, int devices) {
  const std::string zero = "%z = arith.constant 0 : index\n%value = arith.constant dense<1.0> : vector<8x128xf32>\n";
  const auto module = module_of(kernel_text(
      fmt::format("%x: {0}, %o: {0}, %buf: {1}, %into: {1}, %other: {1}, %sent: {2}, %arrived: {2}, %told: {3}", kTile,
                  kSlot, kDma, kCount),
      zero + kNext + body, 6));
  std::vector<Array> inputs;
  for (int d = 0; d < devices; ++d) inputs.push_back(counted(f32, {8, 128}));
  std::vector<Finding> found;
  std::string text;
  for (const std::string& schedule : schedules(5)) {
    checkers::PlainRaces plain;
    checkers::Races fast;
    How how{schedule, {&plain, &fast}};
    how.environment.devices = devices;
    EXPECT_TRUE(run(module, inputs, {{f32, {8, 128}}}, how).outcome.ended()) << schedule;
    const auto said = [](const std::vector<Finding>& findings) {
      std::string all;
      for (const Finding& f : findings) all += f.message + " " + f.schedules + "\n";
      return all;
    };
    EXPECT_EQ(said(fast.findings()), said(plain.findings())) << schedule;
    if (schedule == "canonical") text = said(plain.findings());
    EXPECT_EQ(said(plain.findings()), text) << schedule;
    found = plain.findings();
  }
  return found;
}

TEST(RemoteRaces, TheSendSemaphoreProvesTheReadAlone) {
  const std::string begin = store("%value", "%buf") + kSend;
  // To overwrite the source it is enough that it was read.
  EXPECT_THAT(races(begin + wait("%sent") + store("%value", "%buf") + wait("%arrived"), 2), IsEmpty());
  const auto early = races(begin + store("%value", "%buf") + wait("%sent") + wait("%arrived"), 2);
  ASSERT_THAT(early, SizeIs(1));
  EXPECT_EQ(early[0].id, "race.read-write");
  EXPECT_EQ(early[0].memory, "scratch0");
  EXPECT_EQ(early[0].first->access, "DMA read");
  EXPECT_EQ(early[0].schedules, "all");
}

TEST(RemoteRaces, TheReceiveSemaphoreProvesTheWrite) {
  const std::string begin = store("%value", "%buf") + kSend;
  const std::string use = load("%got", "%into") + store("%got", "%other");
  EXPECT_THAT(races(begin + wait("%sent") + wait("%arrived") + use, 2), IsEmpty());
  const auto early = races(begin + wait("%sent") + use + wait("%arrived"), 2);
  ASSERT_THAT(early, SizeIs(1));  // one a pair of sites and memory, although both devices do it
  EXPECT_EQ(early[0].id, "race.read-write");
  EXPECT_EQ(early[0].memory, "scratch1");
  EXPECT_EQ(early[0].first->device, 0);
  EXPECT_EQ(early[0].second->device, 1);
}

TEST(RemoteRaces, OnTheOwnDeviceTheTwoSemaphoresSayTheSame) {
  const std::string self = "%me = arith.constant 0 : i32\n";
  std::string send = kSend;
  send.replace(send.find("%next"), 5, "%me");
  const std::string begin = self + store("%value", "%buf") + send;
  const std::string use = load("%got", "%into") + store("%got", "%other");
  EXPECT_THAT(races(begin + wait("%sent") + wait("%arrived") + use, 1), IsEmpty());
  EXPECT_THAT(races(begin + wait("%sent") + store("%value", "%buf") + wait("%arrived") + use, 1), IsEmpty());
  EXPECT_THAT(races(begin + wait("%arrived") + use + store("%value", "%buf") + wait("%sent"), 1), IsEmpty());
  EXPECT_THAT(races(begin + wait("%sent") + use + wait("%arrived"), 1), SizeIs(1));
}

TEST(RemoteRaces, WithoutWordFromTheReceiverTheNextCopyOverwritesWhatItStillReads) {
  const std::string begin = store("%value", "%buf") + kSend + wait("%sent") + wait("%arrived");
  const std::string use = load("%got", "%into") + store("%got", "%other");
  const std::string again = kSend + wait("%sent") + wait("%arrived");
  EXPECT_THAT(races(begin + use + again, 2), testing::Not(IsEmpty()));
  // Each tells the one that sends to it; in a ring of two that is its neighbour.
  EXPECT_THAT(races(begin + use + kSignalNext + kWaitTold + again, 2), IsEmpty());
}

}  // namespace
}  // namespace millrace::test
