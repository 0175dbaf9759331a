// SPDX-License-Identifier: Apache-2.0
// The boxes of a reshaped view, held against an enumeration of its elements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "machine/frame_box.h"
#include "runs.h"

namespace millrace::test {
namespace {

using machine::View;

std::unique_ptr<machine::Memory> memory_of(std::vector<std::int64_t> shape) {
  return machine::Memory::fresh({"m", event::MemoryKind::kVmem, mosaic::Element::kI8, std::move(shape)});
}

struct Loop {
  std::int64_t start, count, step, stride;
};

// The strides must outlive the view.
View framed(machine::Memory& memory, std::int64_t base, const std::vector<Loop>& loops,
            std::vector<std::int64_t>& strides) {
  View v;
  v.memory = &memory;
  v.base = base;
  v.rank = v.shown = static_cast<int>(loops.size());
  strides.clear();
  for (const Loop& l : loops) strides.push_back(l.stride);
  v.strides = strides.data();
  for (int d = 0; d < v.rank; ++d) {
    const Loop& l = loops[static_cast<std::size_t>(d)];
    v.start[d] = l.start, v.size[d] = v.inside[d] = l.count, v.step[d] = l.step;
    v.dim[d] = static_cast<std::uint8_t>(d);
  }
  return v;
}

std::set<std::int64_t> elements(const View& v) {
  std::set<std::int64_t> at = {v.base};
  for (int d = 0; d < v.rank; ++d) {
    std::set<std::int64_t> next;
    for (std::int64_t a : at)
      for (std::int64_t i = 0; i < v.inside[d]; ++i) next.insert(a + (v.start[d] + i * v.step[d]) * v.strides[d]);
    at = next;
  }
  std::set<std::int64_t> all;
  for (std::int64_t a : at)
    for (std::int64_t p = 0; p < v.parts; ++p) all.insert(a + p * v.part_stride);
  return all;
}

// The elements of the boxes; each must be in one of them only.
std::set<std::int64_t> elements(const std::vector<event::Box>& boxes, const machine::Memory& memory) {
  std::set<std::int64_t> all;
  for (const event::Box& box : boxes)
    for (std::int64_t e = 0; e < memory.count; ++e) {
      bool inside = true;
      for (std::size_t d = 0; d < memory.shape.size(); ++d) {
        const Range& r = box.ranges[d];
        const std::int64_t at = e / memory.strides[d] % memory.shape[d];
        inside = inside && at >= r.begin && at < r.end && (at - r.begin) % r.stride == 0;
      }
      if (!inside) continue;
      EXPECT_TRUE(all.insert(e).second) << "element " << e << " is in two boxes";
    }
  return all;
}

std::vector<std::string> texts(const View& v) {
  std::vector<std::string> all;
  for (const event::Box& b : machine::boxes_in_memory(v)) all.push_back(event::to_string(b));
  return all;
}

using Texts = std::vector<std::string>;

TEST(FrameBox, RowsOfAFlattenedMemoryAreOneBoxWhereTheyFillWholePages) {
  const auto memory = memory_of({4, 8, 16});
  std::vector<std::int64_t> strides;
  EXPECT_EQ(texts(framed(*memory, 0, {{8, 16, 1, 16}, {0, 16, 1, 1}}, strides)), (Texts{"[1:3, 0:8, 0:16]"}));
  EXPECT_EQ(texts(framed(*memory, 0, {{2, 4, 1, 16}, {0, 16, 1, 1}}, strides)), (Texts{"[0, 2:6, 0:16]"}));
}

TEST(FrameBox, RowsAcrossAPageAreTwoBoxes) {
  const auto memory = memory_of({4, 8, 16});
  std::vector<std::int64_t> strides;
  EXPECT_EQ(texts(framed(*memory, 0, {{4, 8, 1, 16}, {0, 16, 1, 1}}, strides)),
            (Texts{"[0, 4:8, 0:16]", "[1, 0:4, 0:16]"}));
}

TEST(FrameBox, EveryHeadthRowIsOneHeadOfAllPages) {
  const auto memory = memory_of({2, 4, 8, 16});  // pages, rows, heads, numbers
  std::vector<std::int64_t> strides;
  EXPECT_EQ(texts(framed(*memory, 0, {{3, 8, 8, 16}, {0, 16, 1, 1}}, strides)), (Texts{"[0:2, 0:4, 3, 0:16]"}));
}

TEST(FrameBox, AnElementInPartsTakesTheRowsOfAllItsParts) {
  const auto memory = memory_of({16, 16});
  std::vector<std::int64_t> strides;
  View v = framed(*memory, 0, {{2, 3, 1, 32}, {0, 16, 1, 1}}, strides);
  v.parts = 2, v.part_stride = 16;
  EXPECT_EQ(texts(v), (Texts{"[4:10, 0:16]"}));
}

TEST(FrameBox, NothingIsAnEmptyBox) {
  const auto memory = memory_of({4, 8});
  std::vector<std::int64_t> strides;
  EXPECT_EQ(texts(framed(*memory, 3, {{0, 0, 1, 8}, {0, 8, 1, 1}}, strides)), (Texts{"[0:0, 0:0]"}));
}

TEST(FrameBox, AnyViewIsExactlyItsElements) {
  std::mt19937 random(1);
  auto pick = [&](std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random()) % (high - low + 1);
  };
  for (int round = 0; round < 3000; ++round) {
    const auto memory = memory_of({pick(1, 3), pick(1, 4), pick(1, 4), pick(1, 6)});
    // A factorisation of part of the memory, read with starts and steps inside it.
    std::vector<Loop> loops;
    std::int64_t left = memory->count, stride = 1;
    while (left > 1 && loops.size() < 5) {
      const std::int64_t extent = pick(1, std::min<std::int64_t>(left, 7)), start = pick(0, extent - 1);
      const std::int64_t step = pick(1, 3), count = pick(1, (extent - start - 1) / step + 1);
      loops.insert(loops.begin(), {start, count, step, stride});
      stride *= extent, left /= extent;
      if (extent == 1) break;
    }
    std::vector<std::int64_t> strides;
    const View v = framed(*memory, 0, loops, strides);
    EXPECT_EQ(elements(machine::boxes_in_memory(v), *memory), elements(v)) << "round " << round;
  }
}

TEST(FrameBox, ThousandsOfScatteredPiecesAreRefused) {
  const auto memory = memory_of({1000, 7});
  std::vector<std::int64_t> strides;
  EXPECT_THAT(error_of([&] {
                machine::boxes_in_memory(framed(*memory, 0, {{0, 600, 1, 11}, {0, 3, 1, 1}}, strides));
              }),
              ::testing::StartsWith("unsupported: a reshaped view of m that takes more than 64 boxes"));
}

}  // namespace
}  // namespace millrace::test
