// SPDX-License-Identifier: Apache-2.0
// What the kernel language writes, run: squeezed dimensions, maps that read data, run-time grids, lookahead, pipelines
// in pipelines, views of the same bytes. Each against numbers computed here, under every schedule.
#include <bit>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "millrace/run.h"
#include "runs.h"

namespace millrace::test {
namespace {

using testing::HasSubstr;

using Expected = std::function<double(std::int64_t i, std::int64_t j)>;

// Runs under several schedules; the last two dimensions of the output, all leading ones counted as rows.
void expect(const Kernel& kernel, const std::vector<Array>& inputs, const Expected& right) {
  for (const std::string& schedule : schedules(2)) {
    RunOptions options;
    options.schedule = schedule;
    options.detect_races = true;
    const Results r = millrace::run(kernel, inputs, options);
    EXPECT_TRUE(r.races.empty()) << r.races.front().message;
    const std::int64_t columns = r[0].shape().back();
    std::int64_t wrong = 0;
    for (std::int64_t k = 0; k < r[0].size(); ++k) wrong += r[0].flat(k) != right(k / columns, k % columns);
    EXPECT_EQ(wrong, 0) << schedule;
  }
}

Array integers(const std::vector<std::int32_t>& v) { return Array::from(v, {static_cast<std::int64_t>(v.size())}); }

TEST(Language, ASqueezedDimensionIsOneElementOfTheArray) {
  BlockSpec planes{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
  Kernel k = grid_kernel("k", [](Ref x, Ref out) { out.store(x.load() + cast(program_id(0), f32)); },
                         {.grid = {3}, .in = {planes}, .out = {planes}});
  expect(k, {counted(f32, {3, 8, 128})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>(i * 128 + j + i / 8); });
}

TEST(Language, APipelineSqueezesInFrontAndInTheMiddle) {
  Kernel k = kernel("k", {hbm(f32, {2, 3, 8, 128})}, {hbm(f32, {3, 2, 8, 128})}, [](Ref x, Ref out) {
    auto copy = [](Ref a, Ref b) { b.store(a.load()); };
    emit_pipeline(copy, {.grid = {2, 3},
                         .in = {{{kSqueezed, kSqueezed, 8, 128}, [](Index i, Index j) { return block(i, j, 0, 0); }}},
                         .out = {{{1, kSqueezed, 8, 128}, [](Index i, Index j) { return block(j, i, 0, 0); }}}})(x,
                                                                                                                 out);
  });
  // The output's window keeps its first dimension: the body stores (8, 128) to (1, 8, 128) only through a view.
  EXPECT_THAT(error_of([&] { millrace::run(k, {counted(f32, {2, 3, 8, 128})}); }), HasSubstr("the shapes differ"));
  Kernel right = kernel("k", {hbm(f32, {2, 3, 8, 128})}, {hbm(f32, {3, 2, 8, 128})}, [](Ref x, Ref out) {
    auto copy = [](Ref a, Ref b) { b[0].store(a.load()); };
    emit_pipeline(copy, {.grid = {2, 3},
                         .in = {{{kSqueezed, kSqueezed, 8, 128}, [](Index i, Index j) { return block(i, j, 0, 0); }}},
                         .out = {{{1, kSqueezed, 8, 128}, [](Index i, Index j) { return block(j, i, 0, 0); }}}})(x,
                                                                                                                 out);
  });
  expect(right, {counted(f32, {2, 3, 8, 128})}, [](std::int64_t i, std::int64_t j) {
    std::int64_t first = i / 16, second = i / 8 % 2;  // of the output
    return static_cast<double>(((second * 3 + first) * 8 + i % 8) * 128 + j);
  });
}

Kernel gather(const Shape& out) {
  auto rows = BlockSpec{{kSqueezed, 8, 128}, [](Index i, Ref order) { return block(Index(order.load(i)), 0, 0); }};
  BlockSpec result{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
  return grid_kernel("gather",
                     [](Ref order, Ref x, Ref y) { y.store(x.load() + cast(order.load(program_id(0)), f32)); },
                     {.grid = {out[0]}, .prefetch = 1, .in = {rows}, .out = {result}, .out_arrays = {{f32, out}}});
}

TEST(Language, AMapReadsPrefetchedScalars) {
  const std::vector<std::int32_t> order{3, 3, 0, 2, 1};
  expect(gather({5, 8, 128}), {integers(order), counted(f32, {4, 8, 128})}, [&](std::int64_t i, std::int64_t j) {
    auto from = static_cast<std::int64_t>(order[static_cast<std::size_t>(i / 8)]);
    return static_cast<double>((from * 8 + i % 8) * 128 + j + from);
  });
}

TEST(Language, EveryDeliveryOfAPipelineSqueezes) {
  // Once around the loop (the whole array), in place in VMEM, and a scalar of each step in SMEM.
  Kernel k =
      kernel("k", {hbm(f32, {1, 8, 128}), vmem(f32, {3, 8, 128}), hbm(i32, {3})}, {hbm(f32, {3, 8, 128})},
             [](Ref once, Ref here, Ref numbers, Ref out) {
               BlockSpec first{{kSqueezed, 8, 128}, [](Index) { return block(0, 0, 0); }};
               BlockSpec planes{{kSqueezed, 8, 128}, [](Index i) { return block(i, 0, 0); }};
               auto one = BlockSpec{{kSqueezed}, [](Index i) { return block(i); }}.in(Space::kSmem);
               auto add = [](Ref a, Ref b, Ref n, Ref c) {
                 Value sum = a.load() + b.load();
                 c.store(sum + cast(n.load(), f32));
               };
               emit_pipeline(add, {.grid = {3}, .in = {first, planes, one}, .out = {planes}})(once, here, numbers, out);
             });
  expect(k, {counted(f32, {1, 8, 128}), counted(f32, {3, 8, 128}), integers({7, -2, 5})},
         [](std::int64_t i, std::int64_t j) {
           const double numbers[] = {7, -2, 5};
           return static_cast<double>(i % 8 * 128 + j + i * 128 + j) + numbers[i / 8];
         });
}

TEST(Language, PrefetchedOperandsAreArraysScalarsAndBools) {
  BlockSpec chosen{{8, 128}, [](Index i, Ref base, Ref) { return block(i + Index(base.load()), 0); }};
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  auto body = [](Ref, Ref flags, Ref x, Ref out) {
    out.store(x.load());
    when(Bool(flags.load(program_id(0))), [&] { out.store(-x.load()); });
  };
  Kernel k = grid_kernel("k", body, {.grid = {3}, .prefetch = 2, .in = {chosen}, .out = {rows}});
  Array flags(i1, {3});
  flags.as<std::uint8_t>()[1] = 1;
  expect(k, {Array::full(i32, {}, 1), flags, counted(f32, {32, 128})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>((i + 8) * 128 + j) * (i / 8 == 1 ? -1 : 1); });
}

TEST(Language, AMapOfAPipelineReadsWhatItCaptures) {
  const std::vector<std::int32_t> order{1, 1, 3, 0, 0, 2};
  Kernel k = kernel("k", {smem(i32, {6}), hbm(f32, {32, 128})}, {hbm(f32, {48, 128})}, [](Ref order, Ref x, Ref out) {
    auto copy = [](Ref a, Ref b) { b.store(a.load()); };
    BlockSpec chosen{{8, 128}, [=](Index i) { return block(Index(order.load(i)), 0); }};
    BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
    emit_pipeline(copy, {.grid = {6}, .in = {chosen}, .out = {rows}})(x, out);
  });
  expect(k, {integers(order), counted(f32, {32, 128})}, [&](std::int64_t i, std::int64_t j) {
    return static_cast<double>((order[static_cast<std::size_t>(i / 8)] * 8 + i % 8) * 128 + j);
  });
}

// Adds one to the first `n` blocks of 8 rows; what n says is known only in the kernel.
Kernel some_blocks(Buffered in, bool synchronous = false) {
  return kernel("k", {smem(i32, {1}), hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, [=](Ref n, Ref x, Ref out) {
    sync_copy(x, out);
    auto add = [](Ref a, Ref b) { b.store(a.load() + 1.0f); };
    BlockSpec from{{8, 128}, [](Index i, Index) { return block(i, 0); }, in};
    BlockSpec to{{8, 128}, [](Index i, Index) { return block(i, 0); }};
    emit_pipeline(add, {.grid = {Index(n.load(0)), 1}, .in = {from}, .out = {to}, .no_pipelining = synchronous})(x,
                                                                                                                 out);
  });
}

TEST(Language, AGridIsAsLargeAsTheKernelFinds) {
  for (Buffered in : {Buffered{1}, Buffered{2}, Buffered{4}, Buffered{2, true}, Buffered{3, true}}) {
    for (std::int32_t n : {4, 3, 1, 0, -2}) {
      auto right = [&](std::int64_t i, std::int64_t j) {
        return static_cast<double>(i * 128 + j + (i / 8 < n ? 1 : 0));
      };
      expect(some_blocks(in), {integers({n}), counted(f32, {32, 128})}, right);
      expect(some_blocks(in, true), {integers({n}), counted(f32, {32, 128})}, right);
    }
  }
}

TEST(Language, APipelineRunsInsideAPipeline) {
  // Outer blocks stay in HBM; the inner pipeline brings them in, tile by tile.
  Kernel k = kernel("k", {hbm(f32, {32, 256})}, {hbm(f32, {32, 256})}, [](Ref x, Ref out) {
    auto outer = BlockSpec{{16, 256}, [](Index i) { return block(i, 0); }}.in(Space::kHbm);
    auto body = [](Ref a, Ref b) {
      Index half = program_id(0);
      BlockSpec tile{{8, 128}, [](Index i, Index j) { return block(i, j); }};
      auto inner = [=](Ref p, Ref q) { q.store(p.load() + cast(100 * half + program_id(1), f32)); };
      emit_pipeline(inner, {.grid = {2, 2}, .in = {tile}, .out = {tile}})(a, b);
    };
    emit_pipeline(body, {.grid = {2}, .in = {outer}, .out = {outer}})(x, out);
  });
  expect(k, {counted(f32, {32, 256})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>(i * 256 + j + 100 * (i / 16) + j / 128); });
}

TEST(Language, AMaskedStoreChangesOnlyItsElements) {
  Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) {
    out.store(x.load());
    Value column = iota(i32, {8, 128}, 1);
    out.rows(4, 4).store(-1, slice(column, {4, 0}, {4, 128}) % 2 == 0);
  });
  expect(k, {counted(f32, {8, 128})},
         [](std::int64_t i, std::int64_t j) { return i >= 4 && j % 2 == 0 ? -1.0 : static_cast<double>(i * 128 + j); });
}

TEST(Language, ASliceOfAValueIsItsElements) {
  Kernel k = kernel("k", {vmem(f32, {16, 256})}, {vmem(f32, {8, 128})}, [](Ref x, Ref out) {
    out.store(slice(x.load(), {8, 128}, {8, 128}));
  });
  expect(k, {counted(f32, {16, 256})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>((i + 8) * 256 + j + 128); });
}

TEST(Language, TheFirstOfTheLargestAndOfTheSmallestElements) {
  Array x = Array::full(f32, {8, 128}, 0.5);
  auto values = x.as<float>();
  for (std::size_t i = 0; i < 8; ++i) values[i * 128 + 5 * i] = values[i * 128 + 100] = 2, values[i * 128 + 7] = -3;
  Kernel k = kernel("k", {vmem(f32, {8, 128})}, {vmem(i32, {8, 128})}, [](Ref in, Ref out) {
    Value v = in.load();
    out.store(1000 * argmin(v, 1) + broadcast(argmax(v, 1), {8, 128}));
  });
  expect(k, {x}, [](std::int64_t i, std::int64_t) { return static_cast<double>(7000 + 5 * i); });
}

TEST(Language, AxesThatMayRunInAnyOrderGiveTheSameNumbers) {
  BlockSpec tile{{8, 128}, [](Index i, Index j) { return block(i, j); }};
  Kernel k = grid_kernel(
      "k", [](Ref x, Ref out) { out.store(2.0f * x.load()); },
      {.grid = {2, 3}, .semantics = {Dimension::kParallel, Dimension::kArbitrary}, .in = {tile}, .out = {tile}});
  expect(k, {counted(f32, {16, 384})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>(2 * (i * 384 + j)); });
}

TEST(Language, AnIndexMapThatIsAConstantNamesOneBlock) {
  BlockSpec third{{8, 128}, [](Index) { return block(2, 0); }};
  BlockSpec rows{{8, 128}, [](Index i) { return block(i, 0); }};
  Kernel k = grid_kernel("k", [](Ref x, Ref out) { out.store(x.load()); }, {.grid = {3}, .in = {third}, .out = {rows}});
  expect(k, {counted(f32, {24, 128})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>((16 + i % 8) * 128 + j); });
}

TEST(Language, AnAliasedOutputBeginsWithItsInput) {
  BlockSpec second{{8, 128}, [](Index i) { return block(2 * i, 0); }};
  Kernel grid = grid_kernel("k", [](Ref x, Ref out) { out.store(-x.load()); },
                            {.grid = {2}, .in = {second}, .out = {second}, .aliases = {{0, 0}}});
  Kernel by_hand =
      kernel("k", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})},
             [](Ref x, Ref out) {
               BlockSpec rows{{8, 128}, [](Index i) { return block(2 * i, 0); }};
               auto negate = [](Ref a, Ref b) { b.store(-a.load()); };
               emit_pipeline(negate, {.grid = {2}, .in = {rows}, .out = {rows}})(out, x);  // either name will do
             },
             {.aliases = {{0, 0}}});
  Kernel staged = kernel("k", {vmem(f32, {32, 128})}, {vmem(f32, {32, 128})},
                         [](Ref x, Ref out) {
                           for (int i : {0, 16}) out.rows(i, 8).store(-x.rows(i, 8).load());
                           for (int i : {8, 24}) out.rows(i, 8).store(x.rows(i, 8).load());
                         },
                         {.aliases = {{0, 0}}});
  for (const Kernel& k : {grid, by_hand, staged}) {
    expect(k, {counted(f32, {32, 128})},
           [](std::int64_t i, std::int64_t j) { return static_cast<double>(i * 128 + j) * (i / 8 % 2 == 0 ? -1 : 1); });
  }
}

TEST(Language, ACopyGoesThroughAReshapedRef) {
  Kernel k = kernel("k", {hbm(f32, {4, 8, 128})}, {hbm(f32, {32, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {16, 128}), [&](Ref buf) {
      for_range(0, 2, [&](Index i) {
        sync_copy(x.reshape({32, 128}).rows(16 * i, 16), buf);
        sync_copy(buf.reshape({2, 8, 128}), out.reshape({4, 8, 128}).rows(2 - 2 * i, 2));
      });
    });
  });
  expect(k, {counted(f32, {4, 8, 128})},
         [](std::int64_t i, std::int64_t j) { return static_cast<double>((i + 16) % 32 * 128 + j); });
}

TEST(Language, ABitcastRefShowsTheSameBits) {
  Kernel k = kernel("k", {hbm(f32, {8, 128})}, {hbm(i32, {8, 128})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {8, 128}), [&](Ref buf) {
      sync_copy(x, buf);
      sync_copy(buf.bitcast(i32), out);
    });
  });
  expect(k, {counted(f32, {8, 128})}, [](std::int64_t i, std::int64_t j) {
    return static_cast<double>(std::bit_cast<std::int32_t>(static_cast<float>(i * 128 + j)));
  });
}

}  // namespace
}  // namespace millrace::test
