// SPDX-License-Identifier: Apache-2.0
// What the compiler refuses is refused at the line of the user's source that it is about. The lines are those of this
// file: each kernel names the line of the operation at fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "on_libtpu.h"

namespace millrace::test {
namespace {

using target::Verdict;

struct Refusal {
  const char* name;
  Kernel kernel;
  std::vector<dsl::Operand> inputs;
  int line;           // 0: the compiler names no place
  const char* words;  // of the reason
};

// A kernel whose fault stands on this line.
template <class F>
Refusal refusal(const char* name, const char* words, std::vector<MemorySpec> in, MemorySpec out, int line, F body) {
  std::vector<dsl::Operand> inputs;
  for (const MemorySpec& m : in) inputs.push_back({m.dtype, m.shape});
  return {name, kernel("k", std::move(in), {std::move(out)}, body), inputs, line, words};
}

const MemorySpec kScalar = smem(DType::i32, {1});

// clang-format off
std::vector<Refusal> refusals() {
  const Shape tile = {8, 128}, wide = {64, 384}, bytes = {32, 128};
  return {
      refusal("lanes from 5", "divisible", {hbm(f32, wide)}, hbm(f32, tile), __LINE__ + 1,
              [=](Ref x, Ref o) { sync_copy(x.slice({0, 5}, tile), o); }),
      refusal("100 lanes", "aligned to tiling (128)", {hbm(f32, wide)}, hbm(f32, {8, 100}), __LINE__ + 1,
              [=](Ref x, Ref o) { sync_copy(x.slice({0, 0}, {8, 100}), o); }),
      refusal("4 rows", "aligned to tiling (8)", {hbm(f32, wide)}, hbm(f32, {4, 384}), __LINE__ + 1,
              [=](Ref x, Ref o) { sync_copy(x.rows(8, 4), o); }),
      refusal("part of a vector", "aligned to tiling (1024)", {hbm(f32, {2048})}, hbm(f32, {128}), __LINE__ + 1,
              [=](Ref x, Ref o) { sync_copy(x.rows(128, 128), o); }),
      refusal("bf16 rows from 3", "divisible", {hbm(bf16, {64, 128})}, hbm(bf16, tile), __LINE__ + 1,
              [=](Ref x, Ref o) { sync_copy(x.rows(3, 8), o); }),
      refusal("load of computed lanes", "E2003", {kScalar, vmem(f32, wide)}, vmem(f32, tile), __LINE__ + 1,
              [=](Ref s, Ref x, Ref o) { o.store(x.slice({0, 5 * Index(s.load(0))}, tile).load()); }),
      refusal("load of computed bf16 rows", "E2003", {kScalar, vmem(bf16, {64, 128})}, vmem(bf16, tile), __LINE__ + 1,
              [=](Ref s, Ref x, Ref o) { o.store(x.slice({5 * Index(s.load(0)), 0}, tile).load()); }),
      refusal("f16", "", {vmem(f16, bytes)}, vmem(f16, bytes), __LINE__ + 1,
              [=](Ref x, Ref o) { o.store(x.load()); }),
      refusal("i8 + i8", "", {vmem(i8, bytes)}, vmem(i8, bytes), __LINE__ + 1,
              [=](Ref x, Ref o) { o.store(x.load() + x.load()); }),
      refusal("i8 * i8", "", {vmem(i8, bytes)}, vmem(i8, bytes), __LINE__ + 1,
              [=](Ref x, Ref o) { o.store(x.load() * x.load()); }),
      refusal("i8 < i8", "", {vmem(i8, bytes), vmem(i8, bytes)}, vmem(i8, bytes), __LINE__ + 1,
              [=](Ref x, Ref y, Ref o) { o.store(select(x.load() < y.load(), x.load(), y.load())); }),
      refusal("reshape across lanes", "", {vmem(f32, tile)}, vmem(f32, {128, 8}), __LINE__ + 1,
              [=](Ref x, Ref o) { o.store(reshape(x.load(), {128, 8})); }),
  };
}
// clang-format on

TEST(Refusals, NameTheReasonAndTheLine) {
  const std::vector<Refusal> all = refusals();
  ASSERT_GE(all.size(), 12u);
  std::vector<target::KernelCall> calls;
  for (const Refusal& r : all) calls.push_back(call_of(r.kernel, r.inputs));
  const auto results = two_at_a_time(all.size(), [&](std::size_t i) { return compiled(calls[i], "v5e"); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const target::Compiled& c = results[i];
    EXPECT_EQ(name_of(c.verdict), "refused") << all[i].name << ": " << c.diagnosis.reason;
    EXPECT_THAT(c.diagnosis.reason, testing::HasSubstr(all[i].words)) << all[i].name;
    EXPECT_THAT(c.diagnosis.place.file, testing::EndsWith("refusals_test.cpp")) << all[i].name;
    EXPECT_EQ(c.diagnosis.place.line, all[i].line) << all[i].name << ": " << c.diagnosis.reason;
  }
}

TEST(Refusals, OfTooMuchMemoryHaveANumberAndNoLine) {
  constexpr std::int64_t kRows = 20 * 2048;
  const Kernel k = kernel("k", {hbm(f32, {kRows, 128})}, {hbm(f32, {kRows, 128})}, [](Ref x, Ref o) {
    scoped(vmem(f32, {kRows, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
  });
  const auto c = compiled(call_of(k, {{f32, {kRows, 128}}}), "v5e");
  EXPECT_EQ(c.verdict, Verdict::kRefused);
  EXPECT_EQ(c.diagnosis.error, "E1001") << c.diagnosis.reason;
  EXPECT_EQ(target::status_name(c.status), "out of resources");
}

// No refusal: the compiler ends its process. That is told, with its last words.
TEST(Refusals, OfShortSubtractionOnAnOldChipIsADeath) {
  const Kernel k = kernel("k", {vmem(i16, {32, 128}), vmem(i16, {32, 128})}, {vmem(i16, {32, 128})},
                          [](Ref x, Ref y, Ref o) { o.store(x.load() - y.load()); });
  const auto c = compiled(call_of(k, {{i16, {32, 128}}, {i16, {32, 128}}}), "v5e");
  EXPECT_EQ(name_of(c.verdict), "died");
  EXPECT_THAT(c.diagnosis.reason, testing::HasSubstr("kVectorSubtractS16"));
}

// Two kernels at once, each with its own dumps.
TEST(Compiles, AtTheSameTimeDoNotMeet) {
  const auto copy = [](const char* name, std::int64_t rows) {
    const Kernel k = kernel(name, {hbm(f32, {rows, 128})}, {hbm(f32, {rows, 128})}, [=](Ref x, Ref o) {
      scoped(vmem(f32, {rows, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
    });
    return call_of(k, {{f32, {rows, 128}}});
  };
  const std::vector<target::KernelCall> calls = {copy("one", 8), copy("one", 16)};
  const auto results = two_at_a_time(2, [&](std::size_t i) { return compiled(calls[i], "v5e"); });
  ASSERT_TRUE(results[0].dumps.vmem && results[1].dumps.vmem);
  EXPECT_EQ(results[0].dumps.vmem->total, 4096);
  EXPECT_EQ(results[1].dumps.vmem->total, 8192);
}

// The library itself, killed in the middle of its work.
TEST(Compiles, ThatTakeTooLongAreGivenUp) {
  target::CompileRequest request{library(), "v5e", {}, worker()};
  const Kernel k = kernel("k", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, [](Ref x, Ref o) { sync_copy(x, o); });
  request.call = call_of(k, {{f32, {8, 128}}});
  request.repeat = 10'000;
  request.worker.timeout_seconds = 20;
  const auto c = target::compile(request);
  EXPECT_EQ(c.verdict, Verdict::kTimedOut) << c.diagnosis.reason;
}

}  // namespace
}  // namespace millrace::test
