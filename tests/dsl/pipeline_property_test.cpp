// SPDX-License-Identifier: Apache-2.0
// Pipelines of any grid, number of windows and kind of index map: played step by step against what a window must hold.
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "replay.h"
#include "traced.h"

namespace millrace::test {
namespace {

// Index maps of a two-axis grid, each onto blocks (row, 0) of an array of `rows` blocks.
struct Map {
  const char* name;
  std::int64_t (*plain)(std::int64_t i, std::int64_t j, std::int64_t n);
  Index (*traced)(Index i, Index j, std::int64_t n);
};
constexpr Map kMaps[] = {
    {"i * n + j", [](std::int64_t i, std::int64_t j, std::int64_t n) { return i * n + j; },
     [](Index i, Index j, std::int64_t n) { return i * n + j; }},
    {"i", [](std::int64_t i, std::int64_t, std::int64_t) { return i; }, [](Index i, Index, std::int64_t) { return i; }},
    {"j", [](std::int64_t, std::int64_t j, std::int64_t) { return j; }, [](Index, Index j, std::int64_t) { return j; }},
    {"j / 2", [](std::int64_t, std::int64_t j, std::int64_t) { return j / 2; },
     [](Index, Index j, std::int64_t) { return j / 2; }},
    {"n - 1 - j", [](std::int64_t, std::int64_t j, std::int64_t n) { return n - 1 - j; },
     [](Index, Index j, std::int64_t n) { return n - 1 - j; }},
    {"2", [](std::int64_t, std::int64_t, std::int64_t) -> std::int64_t { return 2; },
     [](Index, Index, std::int64_t) { return Index(2); }},
};

struct Case {
  std::int64_t m, n;  // the grid
  int in_slots, out_slots;
  const Map *in, *out;
  bool lookahead = false;
  bool unknown = false;  // the grid is known only in the kernel
};

std::shared_ptr<const mosaic::Module> traced(const Case& c) {
  auto spec = [&](const Map* map, Buffered windows) {
    return BlockSpec{{8, 128}, [=, n = c.n](Index i, Index j) { return block(map->traced(i, j, n), 0); }, windows};
  };
  auto body = [&](Ref x, Ref y) {
    auto copy = [](Ref a, Ref b) { b.store(a.load()); };
    auto pipeline = [&](Index m, Index n) {
      emit_pipeline(
          copy, {.grid = {m, n}, .in = {spec(c.in, {c.in_slots, c.lookahead})}, .out = {spec(c.out, {c.out_slots})}})(
          x, y);
    };
    if (!c.unknown) return pipeline(c.m, c.n);
    // The counter of a loop is a number that tracing does not know.
    for_range(c.m, c.m + 1, [&](Index m) { for_range(c.n, c.n + 1, [&](Index n) { pipeline(m, n); }); });
  };
  MemorySpec array = hbm(f32, {8 * 40, 128});
  return module_of(kernel("k", {array}, {array}, body), {{f32, {8 * 40, 128}}});
}

// What the windows hold and what is under way. Block numbers; -1: nothing.
struct Model {
  std::map<std::int64_t, std::int64_t> loading, holds, sending;  // by slot
  std::vector<std::int64_t> written;                             // output blocks, in the order they were sent

  static std::int64_t block_of(const Part& array) { return array.begin[0] / 8; }

  void play(const Happening& h, std::int64_t expected_in) {
    if (h.kind == Happening::kLoad) {
      std::int64_t slot = h.from.begin[0];
      RC_ASSERT(holds.count(slot) == 1u);
      RC_ASSERT(holds.at(slot) == expected_in);
      RC_ASSERT(loading.count(slot) == 0u);
    } else if (h.kind == Happening::kStore) {
      RC_ASSERT(sending.count(h.to.begin[0]) == 0u);  // never into a window that is still being sent
    } else if (h.from.memory == "a0") {
      in(h);
    } else {
      out(h);
    }
  }

  void in(const Happening& h) {
    std::int64_t slot = h.to.begin[0], block = block_of(h.from);
    RC_ASSERT(h.semaphore.begin[0] == slot);
    if (h.kind == Happening::kStart) {
      RC_ASSERT(loading.count(slot) == 0u);
      loading[slot] = block;
      holds.erase(slot);
    } else {
      RC_ASSERT(loading.count(slot) == 1u);
      RC_ASSERT(loading.at(slot) == block);
      loading.erase(slot);
      holds[slot] = block;
    }
  }

  void out(const Happening& h) {
    std::int64_t slot = h.from.begin[0], block = block_of(h.to);
    RC_ASSERT(h.semaphore.begin[0] == slot);
    if (h.kind == Happening::kStart) {
      RC_ASSERT(sending.count(slot) == 0u);
      sending[slot] = block;
      written.push_back(block);
    } else {
      RC_ASSERT(sending.count(slot) == 1u);
      RC_ASSERT(sending.at(slot) == block);
      sending.erase(slot);
    }
  }
};

std::vector<std::int64_t> without_repeats(const std::vector<std::int64_t>& blocks) {
  std::vector<std::int64_t> rest;
  for (auto b : blocks) {
    if (rest.empty() || rest.back() != b) rest.push_back(b);
  }
  return rest;
}

void check(const Case& c) {
  std::vector<std::int64_t> in, out;
  for (std::int64_t i = 0; i < c.m; ++i) {
    for (std::int64_t j = 0; j < c.n; ++j) {
      in.push_back(c.in->plain(i, j, c.n));
      out.push_back(c.out->plain(i, j, c.n));
    }
  }
  Model model;
  std::size_t step = 0;
  std::vector<std::int64_t> loaded;
  for (const auto& h : replay(*traced(c))) {
    if (h.kind == Happening::kStart && h.from.memory == "a0") loaded.push_back(Model::block_of(h.from));
    model.play(h, step < in.size() ? in[step] : -1);
    if (h.kind == Happening::kStore) ++step;
  }
  RC_ASSERT(step == in.size());
  RC_ASSERT(model.loading.empty());  // every copy was waited for
  RC_ASSERT(model.sending.empty());
  RC_ASSERT(loaded == without_repeats(in));  // each change of block moves it once, no other copy is made
  RC_ASSERT(model.written == without_repeats(out));
}

RC_GTEST_PROP(PipelineProperty, EveryWindowHoldsItsBlockAndEveryCopyIsWaitedFor, ()) {
  const std::vector<std::int64_t> numbers{1, 2, 3, 4, 5, 6};
  auto number = [&](std::size_t most) {
    return *rc::gen::elementOf(std::vector<std::int64_t>(numbers.begin(), numbers.begin() + static_cast<long>(most)));
  };
  auto map = [&] { return &kMaps[number(std::size(kMaps)) - 1]; };
  Case c{number(4), number(6), static_cast<int>(number(6)), static_cast<int>(number(2)), map(), map()};
  c.lookahead = c.in_slots > 1 && *rc::gen::arbitrary<bool>();
  c.unknown = *rc::gen::arbitrary<bool>();
  RC_TAG(std::string(c.in->name), c.lookahead, c.unknown);
  check(c);
}

}  // namespace
}  // namespace millrace::test
