// SPDX-License-Identifier: Apache-2.0
// Which undefined data is a finding, where it is said to come from, and what is none; each with its twin.
#include "check/undefined.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/coverage.h"
#include "runs.h"

namespace millrace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string text(const std::vector<Range>& ranges) {
  event::Box box;
  box.rank = static_cast<int>(ranges.size());
  std::copy(ranges.begin(), ranges.end(), box.ranges.begin());
  return event::to_string(box);
}

// "uninitialized.read scratch0 core read #0 [0:8, 0:128]", in a grid with its step and block. Places are lines of this
// file; the tests look at them by themselves.
std::string said(const Finding& f) {
  std::string line = f.id + " " + f.memory;
  if (f.second) line += fmt::format(" {} #{}", f.second->access, f.second->nth);
  if (f.id != "uncovered.output") line += " " + text(f.box);
  for (const auto& b : f.boxes) line += " " + text(b);
  if (!f.grid_step.empty()) line += fmt::format(" step {}", fmt::join(f.grid_step, ","));
  if (!f.block.empty()) line += fmt::format(" block {}", fmt::join(f.block, ","));
  return line;
}

std::vector<Finding> findings_of(const Kernel& kernel, const std::vector<Array>& inputs, How how = {}) {
  checkers::Undefined undefined;
  checkers::Coverage coverage;
  how.observers = {&undefined, &coverage};
  how.definedness = true;
  run(kernel, inputs, how);
  std::vector<Finding> all = undefined.findings();
  all.insert(all.end(), coverage.findings().begin(), coverage.findings().end());
  return all;
}

std::vector<std::string> told(const Kernel& kernel, const std::vector<Array>& inputs, How how = {}) {
  std::vector<std::string> lines;
  for (const Finding& f : findings_of(kernel, inputs, std::move(how))) lines.push_back(said(f));
  return lines;
}

const Array kTile = counted(f32, {8, 128});

Kernel with_scratch(const std::function<void(Ref x, Ref out, Ref a, Ref b)>& body) {
  return kernel("scratch", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})},
                [body](Ref x, Ref out, Ref a, Ref b) { body(x, out, a, b); },
                {.scratch = {vmem(f32, {8, 128}), vmem(f32, {8, 128})}});
}

TEST(Undefined, OfTwoReadsThatMeetInOneElementBothAreToldWithTheirPlaces) {
  const Kernel k = with_scratch([](Ref, Ref out, Ref a, Ref b) {
    Value left = a.load();
    Value right = b.load();
    out.store(left + right);
  });
  const std::vector<Finding> all = findings_of(k, {kTile});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(said(all[0]), "uninitialized.read scratch0 core read #0 [0:8, 0:128]");
  EXPECT_EQ(said(all[1]), "uninitialized.read scratch1 core read #0 [0:8, 0:128]");
  EXPECT_THAT(all[0].second->at, testing::HasSubstr("undefined_test.cpp:"));
  EXPECT_NE(all[0].second->at, all[1].second->at);
  EXPECT_THAT(all[0].message, testing::HasSubstr("they end in out0"));
  EXPECT_EQ(all[0].schedules, "all");
  EXPECT_EQ(all[0].clause, "S7.4");
}

TEST(Undefined, TheFirstReadInTheChainIsTheSource) {
  const Kernel k = with_scratch([](Ref, Ref out, Ref a, Ref b) {
    b.store(a.load());
    out.store(b.load() * 2.0f);
  });
  EXPECT_THAT(told(k, {kTile}), ElementsAre("uninitialized.read scratch0 core read #0 [0:8, 0:128]"));
}

TEST(Undefined, WhatIsOverwrittenOrNeverLeavesIsNone) {
  EXPECT_THAT(told(with_scratch([](Ref x, Ref out, Ref a, Ref b) {
                     b.store(a.load());
                     out.store(a.load());
                     out.store(x.load());
                   }),
                   {kTile}),
              IsEmpty());
}

TEST(Undefined, InALoopTheFirstReadThatMattersIsNamed) {
  // Rounds 0 and 1 go to rows that are written again, round 2 stays.
  const Kernel k = with_scratch([](Ref x, Ref out, Ref a, Ref) {
    for_range(0, 3, [&](Index i) { out.rows(2 * i, 2).store(a.rows(2 * i, 2).load()); });
    out.rows(0, 4).store(x.rows(0, 4).load());
    out.rows(6, 2).store(x.rows(6, 2).load());
  });
  EXPECT_THAT(told(k, {kTile}), ElementsAre("uninitialized.read scratch0 core read #2 [4:6, 0:128]"));
}

TEST(Undefined, ABoxThatIsNoneIsToldInPieces) {
  const Kernel k = with_scratch([](Ref x, Ref out, Ref a, Ref) {
    a.slice({2, 0}, {2, 128}).store(x.slice({2, 0}, {2, 128}).load());
    out.store(a.load());
  });
  EXPECT_THAT(told(k, {kTile}),
              ElementsAre("uninitialized.read scratch0 core read #0 [0:8, 0:128] [0:2, 0:128] [4:8, 0:128]"));
}

TEST(Undefined, ACopyTooEarlyIsARaceAloneAndWhatNoCopyBringsIsTold) {
  const Kernel k = kernel("early", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})},
                          [](Ref x, Ref out, Ref buffer, Semaphore s) {
                            AsyncCopy copy = make_async_copy(x.rows(0, 4), buffer.rows(0, 4), s);
                            copy.start();
                            out.store(buffer.load());
                            copy.wait();
                          },
                          {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
  for (const std::string& schedule : schedules(5))
    EXPECT_THAT(told(k, {kTile}, {.schedule = schedule}),
                ElementsAre("uninitialized.read scratch0 core read #0 [4:8, 0:128]"))
        << schedule;
}

TEST(Undefined, ADeadlockedKernelIsNotJudged) {
  const auto deadlocks = [](bool deadlock) {
    return kernel("stuck", {}, {vmem(f32, {8, 128})},
                  [=](Ref out, Ref a, Semaphore s) {
                    when(sum(a.load()) > 0.0f, [&] { out.store(zeros_like(out.load())); });
                    if (deadlock) wait(s, 1);
                  },
                  {.scratch = {vmem(f32, {8, 128}), semaphore()}});
  };
  EXPECT_THAT(told(deadlocks(true), {}), IsEmpty());
  EXPECT_EQ(told(deadlocks(false), {}).front(), "uninitialized.read scratch0 core read #0 [0:8, 0:128]");
}

TEST(Undefined, WhatACopyTakesFromTilePaddingIsTold) {
  const auto copied = [](std::int64_t rows) {
    return kernel("ragged", {hbm(f32, {20, 128})}, {vmem(f32, {8, 128})},
                  [=](Ref x, Ref out, Ref buffer, Semaphore s) {
                    for_range(2, 3, [&](Index i) {  // known at run time only: the language refuses it else
                      AsyncCopy copy = make_async_copy(x.rows(8 * i, 8), buffer, s);
                      copy.start();
                      copy.wait();
                    });
                    out.store(zeros_like(out.load()));
                    out.rows(0, rows).store(buffer.rows(0, rows).load());
                  },
                  {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
  };
  const Array x = counted(f32, {20, 128});
  EXPECT_THAT(told(copied(4), {x}), IsEmpty());
  EXPECT_THAT(told(copied(5), {x}), ElementsAre("uninitialized.read in0 DMA read #0 [20:24, 0:128]"));
}

// --- windows

const BlockSpec kRows{{8, 128}, [](Index i) { return block(i, 0); }},
    kFirst{{8, 128}, [](Index) { return block(0, 0); }};

Kernel over_twenty_rows(const std::function<void(Ref, Ref)>& body, const BlockSpec& to, Shape out) {
  return grid_kernel("edge", [body](Ref x, Ref o) { body(x, o); },
                     {.grid = {3}, .in = {kRows}, .out = {to}, .out_arrays = {{f32, out}}});
}

TEST(Undefined, PaddingThatIsFoldedIsToldWithItsBlock) {
  const auto body = [](Ref x, Ref out) {
    when(program_id(0) == 0, [&] { out.store(zeros_like(out.load())); });
    Value v = x.load();
    Value m = max(v, over(0));
    out.store(out.load() + m);
  };
  const std::vector<Finding> all = findings_of(over_twenty_rows(body, kFirst, {8, 128}), {counted(f32, {20, 128})});
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(said(all[0]), "padding.reduction in0 [4:8, 0:128] step 2 block 2,0");
  EXPECT_THAT(all[0].at, testing::HasSubstr("undefined_test.cpp:"));
}

TEST(Undefined, PaddingThatStaysInPaddingIsNone) {
  const auto body = [](Ref x, Ref out) { out.store(x.load() + sum(x.load(), over(1))); };
  EXPECT_THAT(told(over_twenty_rows(body, kRows, {20, 128}), {counted(f32, {20, 128})}), IsEmpty());
}

TEST(Undefined, PaddingThatIsMaskedIsNone) {
  const auto body = [](Ref x, Ref out) {
    when(program_id(0) == 0, [&] { out.store(zeros_like(out.load())); });
    Value row = iota(i32, {8, 128}, 0) + 8 * program_id(0);
    out.store(out.load() + sum(select(row < 20, x.load(), 0.0f), over(0)));
  };
  EXPECT_THAT(told(over_twenty_rows(body, kFirst, {8, 128}), {counted(f32, {20, 128})}), IsEmpty());
}

TEST(Undefined, PaddingThatDecidesABranchIsARead) {
  const auto body = [](Ref x, Ref out) {
    when(program_id(0) == 0, [&] { out.store(zeros_like(out.load())); });
    when(max(x.load()) > 3.0f, [&] { out.store(zeros_like(out.load())); });
  };
  EXPECT_THAT(told(over_twenty_rows(body, kFirst, {8, 128}), {counted(f32, {20, 128})}),
              ElementsAre("uninitialized.read in0 core read #2 [4:8, 0:128] step 2"));
}

TEST(Undefined, AWindowThatLostItsBlockByLeavingItIsNoFindingOfThisKind) {
  const auto added = [](Shape grid, bool outer) {
    const auto to = [=](Index r, Index b) { return block(outer ? b : r, 0); };
    return grid_kernel("again",
                       [=](Ref x, Ref out) {
                         when(program_id(outer ? 0 : 1) == 0, [&] { out.store(zeros_like(out.load())); });
                         out.store(out.load() + x.load());
                       },
                       {.grid = grid,
                        .in = {{{8, 128}, [](Index, Index) { return block(0, 0); }}},
                        .out = {{{8, 128}, to}},
                        .out_arrays = {{f32, {16, 128}}}});
  };
  EXPECT_THAT(told(added({2, 2}, true), {kTile}), IsEmpty());
  EXPECT_THAT(told(added({2, 2}, false), {kTile}), IsEmpty());
}

// --- coverage

Kernel rows_stored(const std::function<void(Ref, Ref)>& body, Shape grid) {
  return grid_kernel("stored", [body](Ref x, Ref out) { body(x, out); },
                     {.grid = grid, .in = {kFirst}, .out = {kRows}, .out_arrays = {{f32, {32, 128}}}});
}

TEST(Coverage, SaysWhatNobodyWrote) {
  const auto whole = [](Ref x, Ref out) { out.store(x.load()); };
  const auto upper = [](Ref x, Ref out) { out.rows(0, 4).store(x.rows(0, 4).load()); };
  EXPECT_THAT(told(rows_stored(whole, {4}), {kTile}), IsEmpty());
  EXPECT_THAT(told(rows_stored(whole, {3}), {kTile}), ElementsAre("uncovered.output out0 [24:32, 0:128]"));
  EXPECT_THAT(told(rows_stored(upper, {2}), {kTile}), ElementsAre("uncovered.output out0 [4:8, 0:128] [12:32, 0:128]"));
}

TEST(Coverage, AWindowSentBackUnwrittenTakesNothingAwayFromItsArray) {
  const BlockSpec turns{{8, 128}, [](Index i) { return block(i % 2, 0); }};
  const auto stored = [&](int until) {
    return grid_kernel("turns", [=](Ref x, Ref out) { when(program_id(0) < until, [&] { out.store(x.load()); }); },
                       {.grid = {3}, .in = {kFirst}, .out = {turns}, .out_arrays = {{f32, {16, 128}}}});
  };
  EXPECT_THAT(told(stored(2), {kTile}), IsEmpty());
  EXPECT_THAT(told(stored(1), {kTile}), ElementsAre("uncovered.output out0 [8:16, 0:128]"));
}

TEST(Coverage, AnAliasedOutputBeginsWritten) {
  const Kernel k = grid_kernel("middle", [](Ref x, Ref out) { out.store(2.0f * x.load()); },
                               {.grid = {2}, .in = {kRows}, .out = {kRows}, .out_arrays = {{f32, {32, 128}}}});
  const Array x = counted(f32, {32, 128});
  EXPECT_THAT(told(k, {x}, {.environment = {{{0, 0}}, {}}}), IsEmpty());
  EXPECT_THAT(told(k, {x}), ElementsAre("uncovered.output out0 [16:32, 0:128]"));
  EXPECT_THAT(
      told(k, {x}, {.environment = {.aliases = {{0, 0}}, .unwritten = {0}}}),
      ElementsAre("uninitialized.read in0 core read #0 [0:8, 0:128] step 0", "uncovered.output out0 [16:32, 0:128]"));
}

TEST(Coverage, ACopyThatWasStartedHasWrittenItsTarget) {
  const auto copied = [](bool awaited) {
    return kernel("copied", {hbm(f32, {8, 128})}, {hbm(f32, {16, 128})},
                  [=](Ref x, Ref out, Semaphore s) {
                    AsyncCopy copy = make_async_copy(x, out.rows(0, 8), s);
                    copy.start();
                    if (awaited) copy.wait();
                  },
                  {.scratch = {dma_semaphore()}});
  };
  for (bool awaited : {true, false})
    EXPECT_THAT(told(copied(awaited), {kTile}), ElementsAre("uncovered.output out0 [8:16, 0:128]"));
}

}  // namespace
}  // namespace millrace::test
