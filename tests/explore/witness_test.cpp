// SPDX-License-Identifier: Apache-2.0
// The machine follows what the explorer says: each racing pair of a faulty kernel in one order, and in the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "cases.h"
#include "explore/explore.h"
#include "explore/recorder.h"
#include "explore/witness.h"
#include "machine/replay.h"
#include "runs.h"

namespace millrace::test {
namespace {

namespace fs = std::filesystem;
using explore::Pair;
using explore::Step;
using testing::HasSubstr;

// When each step of a run of one core happened.
class Order final : public event::Observer {
 public:
  std::size_t of(const Step& s) const { return when_.at(s); }
  void on(const event::Access&) override { note({Step::Kind::kCore, 0, op_++}); }
  void on(const event::DmaIssued&) override { ++op_; }
  void on(const event::Signalled&) override { ++op_; }
  void on(const event::Waited&) override { ++op_; }
  void on(const event::DmaRead& e) override { note({Step::Kind::kDmaRead, 0, static_cast<std::uint32_t>(e.dma)}); }
  void on(const event::DmaWrote& e) override { note({Step::Kind::kDmaWrite, 0, static_cast<std::uint32_t>(e.dma)}); }

 private:
  void note(const Step& s) { when_[s] = clock_++; }
  std::map<Step, std::size_t> when_;
  std::uint32_t op_ = 0;
  std::size_t clock_ = 0;
};

struct File {
  fs::path path;
  explicit File(const std::string& text) {
    std::string name = (fs::temp_directory_path() / "millrace_schedule_XXXXXX").string();
    close(mkstemp(name.data()));
    path = name;
    std::ofstream(path) << text;
  }
  ~File() { fs::remove(path); }
  std::string schedule() const { return "replay:" + path.string(); }
};

explore::Skeleton recorded(const Case& c) {
  explore::Recorder recorder;
  run(c.module, c.inputs, c.outputs, {"canonical", {&recorder}});
  return recorder.take();
}

// Follows the explorer's schedule for these orders.
void expect_orders(const Case& c, const explore::Skeleton& skeleton, const std::vector<Pair>& pairs) {
  const auto text = explore::witness(skeleton, pairs);
  ASSERT_TRUE(text) << c.name;
  const File file(*text);
  Order order;
  run(c.module, c.inputs, c.outputs, {file.schedule(), {&order}});
  for (const Pair& p : pairs)
    EXPECT_LT(order.of(p.first), order.of(p.second))
        << c.name << ": " << to_string(skeleton, p.first) << ", " << to_string(skeleton, p.second) << "\n"
        << *text;
}

TEST(Witness, ShowsEveryRaceInBothOrders) {
  std::size_t races = 0;
  for (const char* group : {"tests/cases/random_small", "tests/cases/faults_small"})
    for (const fs::path& folder : folders_in(fs::path(MILLRACE_SOURCE_DIR) / group)) {
      const Case c = read_case(folder);
      const explore::Skeleton skeleton = recorded(c);
      if (skeleton.cut) continue;
      const explore::Result r = explore::explore(skeleton);
      for (std::size_t k = 0; k < std::min<std::size_t>(r.races.size(), 12); ++k, ++races) {
        expect_orders(c, skeleton, {r.races[k]});
        expect_orders(c, skeleton, {{r.races[k].second, r.races[k].first}});
      }
    }
  EXPECT_GT(races, 30u);
}

// The class of any run, shown again: all of its races at once.
TEST(Witness, ShowsTheClassesThatRandomSchedulesMeet) {
  for (const fs::path& folder : folders_in(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/random_small")) {
    const Case c = read_case(folder);
    const explore::Skeleton skeleton = recorded(c);
    for (const std::string& schedule : schedules(5)) {
      Order order;
      run(c.module, c.inputs, c.outputs, {schedule, {&order}});
      std::vector<Pair> pairs = explore::explore(skeleton).races;
      for (Pair& p : pairs)
        if (order.of(p.second) < order.of(p.first)) std::swap(p.first, p.second);
      expect_orders(c, skeleton, pairs);
    }
  }
}

TEST(Witness, IsNotThereForAnOrderThatNoRunHas) {
  const Case c = read_case(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/random_small/r0108");  // clean
  const explore::Skeleton skeleton = recorded(c);
  ASSERT_FALSE(skeleton.dmas.empty());
  const Step read{Step::Kind::kDmaRead, 0, 0}, write{Step::Kind::kDmaWrite, 0, 0};
  EXPECT_TRUE(explore::witness(skeleton, std::vector<Pair>{{read, write}}));
  EXPECT_FALSE(explore::witness(skeleton, std::vector<Pair>{{write, read}}));
}

std::string follows(const std::string& text) {
  const Case c = read_case(fs::path(MILLRACE_SOURCE_DIR) / "tests/cases/random_small/r0108");
  const File file(text);
  return error_of([&] { run(c.module, c.inputs, c.outputs, {file.schedule()}); });
}

TEST(Replay, GoesOnAsCanonicalAfterTheFilesEnd) {
  EXPECT_EQ(follows("# nothing\n\nmillrace schedule 1\n"), "no error");
  EXPECT_EQ(follows("millrace schedule 1\ncore 0 1\n"), "no error");
}

TEST(Replay, RefusesWhatIsNoScheduleOrWasWrittenForAnother) {
  EXPECT_THAT(follows("core 0 1\n"), HasSubstr("is no schedule: it must begin with `millrace schedule 1`"));
  EXPECT_THAT(follows("millrace schedule 2\n"), HasSubstr("is no schedule"));
  for (const char* line : {"core 0", "core 0 -1", "core x 1", "dma 0 1 reads", "dma 0 1", "core 0 1 read", "go"})
    EXPECT_THAT(follows(std::string("millrace schedule 1\n") + line + "\n"),
                HasSubstr(", line 2: take `core CORE COUNT`"));
  EXPECT_THAT(follows("millrace schedule 1\ncore 0 1\ndma 0 0 signal\n"),
              HasSubstr("line 3: DMA 0 of core 0 cannot signal there"));
  EXPECT_THAT(follows("millrace schedule 1\ncore 0 100000\n"), HasSubstr("line 2: the kernel was over before it"));
  EXPECT_THAT(error_of([] { machine::choice_named("replay:/nowhere/at/all"); }), HasSubstr("cannot be read"));
}

TEST(Replay, TakesCoresOfOtherDevices) {
  const auto moves = machine::parse_schedule("millrace schedule 1\ncore 1.3 12\n", "F");
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].core, std::pair(1, 3));
  EXPECT_EQ(moves[0].number, 12u);
}

}  // namespace
}  // namespace millrace::test
