// SPDX-License-Identifier: Apache-2.0
// Two thousand random programs. `make soak` judges a hundred thousand.
#include <gtest/gtest.h>

#include <cstdlib>

#include "generate.h"
#include "judge.h"
#include "module.h"
#include "mosaic/io.h"

namespace millrace::programs {
namespace {

constexpr int kPrograms = 2000;

Judged races(const Program& p, std::uint64_t seed) { return judge_races(p, seed); }
Judged schedules(const Program& p, std::uint64_t seed) { return judge_schedules(p, seed, true); }

TEST(RandomPrograms, AreKernelsThatVerify) {
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    EXPECT_NO_THROW(mosaic::verify_module(module_of(random_program(seed)))) << to_string(random_program(seed));
}

TEST(RandomPrograms, HaveTheRacesOfThePlainCheckerUnderEverySchedule) {
  const Tally tally = judge_all(0, kPrograms, races);
  EXPECT_EQ(tally.fault, "");
  // Each kind is well there: a test on clean programs alone would prove little.
  EXPECT_GT(tally.racy, 400) << to_string(tally);
  EXPECT_GT(tally.clean, 400) << to_string(tally);
  EXPECT_GT(tally.deadlocked, 100) << to_string(tally);
  EXPECT_GT(tally.several_racy, 100) << to_string(tally);
  EXPECT_GT(tally.several_clean, 50) << to_string(tally);
}

TEST(RandomPrograms, HaveOneVerdictWhereOneRunIsSaidToSpeakOfAll) {
  const Tally tally = judge_all(0, kPrograms, schedules);
  EXPECT_EQ(tally.fault, "");
  EXPECT_GT(tally.claimed, 400) << to_string(tally);
  EXPECT_GT(tally.explored, 200) << to_string(tally);
}

TEST(RandomPrograms, ShowWhereOneRunDoesNotSpeakOfAllOrTheWrongOnesAreExplored) {
  for (const Mistake mistake : {Mistake::kTrustsEveryRun, Mistake::kOtherSignals}) {
    const Tally tally = judge_all(
        0, kPrograms, [&](const Program& p, std::uint64_t seed) { return judge_schedules(p, seed, true, mistake); });
    EXPECT_NE(tally.fault, "");
  }
}

// The checker in use, hard of hearing in one way or another.
struct ProvesTooMuch final : InUse {  // a wait takes over one DMA too many
  using InUse::on;
  void on(const event::Waited& e) override {
    event::Waited heard = e;
    heard.amount += 1;
    InUse::on(heard);
  }
};
struct ProvesTooLittle final : InUse {  // a wait that is met by all but one of its bytes
  using InUse::on;
  void on(const event::Waited& e) override {
    event::Waited heard = e;
    heard.amount -= 1;
    InUse::on(heard);
  }
};
struct SeesNoCombs final : InUse {  // takes every second row for all of them
  using InUse::on;
  void on(const event::DmaIssued& e) override {
    event::DmaIssued heard = e;
    for (event::End* end : {&heard.source, &heard.target})
      for (Range& r : end->box.ranges) r.stride = 1;
    InUse::on(heard);
  }
};
struct SendingIsArriving final : InUse {  // a send semaphore says that the target was written
  using InUse::on;
  void on(const event::DmaIssued& e) override {
    event::DmaIssued heard = e;
    if (e.sends) heard.raises = *e.sends, heard.sends.reset();
    InUse::on(heard);
  }
};
struct CountsBytesAtOnce final : InUse {  // a DMA's bytes are there all at once
  using InUse::on;
  void on(const event::DmaIssued& e) override {
    event::DmaIssued heard = e;
    heard.granule = heard.bytes;
    InUse::on(heard);
  }
};
struct DoesNotHearSignals final : InUse {
  using InUse::on;
  void on(const event::Signalled&) override {}
};

template <class Broken>
class BrokenCheckers : public testing::Test {};
using AllBroken = testing::Types<ProvesTooMuch, ProvesTooLittle, SeesNoCombs, SendingIsArriving, CountsBytesAtOnce,
                                 DoesNotHearSignals>;
TYPED_TEST_SUITE(BrokenCheckers, AllBroken);

TYPED_TEST(BrokenCheckers, AreFoundOutAndShownBySmallPrograms) {
  Program shown;
  const auto broken = [&](const Program& p, std::uint64_t seed) {
    Judged judged = judge_races(p, seed, [] { return std::make_unique<TypeParam>(); });
    if (!judged.fault.empty()) shown = p;
    return judged;
  };
  const Tally tally = judge_all(0, kPrograms, broken);
  EXPECT_NE(tally.fault, "");
  EXPECT_LE(count(shown.steps), 8u) << tally.fault;
}

}  // namespace
}  // namespace millrace::programs
