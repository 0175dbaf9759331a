// SPDX-License-Identifier: Apache-2.0
#include "chip_kernels.h"

#include <fmt/format.h>

namespace millrace::test {

namespace {

using Chips = std::vector<std::string>;
using Combine = Value (*)(Value, Value);

const Chips kOne = {"v5e"}, kNone = {}, kFour = {"v4", "v5e", "v6e", "tpu7x"};
const Chips kOld = {"v4", "v5e"}, kNew = {"v6e", "tpu7x"};

struct Row {
  Shape array;
  DType dtype;
  Shape start, size;
  bool computed;  // the start is a scalar of the kernel times `start`
  bool taken;
};

std::string name_of_row(const char* what, const Row& r) {
  return fmt::format("{} {} {} from {} take {}{}", what, name_of(r.dtype), to_string(r.array), to_string(r.start),
                     to_string(r.size), r.computed ? ", computed" : "");
}

std::vector<Index> starts(const Row& r, Ref scalar) {
  std::vector<Index> result;
  for (std::int64_t n : r.start) result.push_back(r.computed && n != 0 ? Index(scalar.load(0)) * n : Index(n));
  return result;
}

ChipKernel judged_on_v5e(std::string name, Kernel kernel, std::vector<dsl::Operand> inputs, bool taken,
                         std::string rule, std::string memory = "") {
  return {std::move(name),
          std::move(kernel),
          std::move(inputs),
          taken ? kOne : kNone,
          taken ? kNone : kOne,
          std::move(rule),
          taken ? "" : std::move(memory)};
}

}  // namespace

std::vector<ChipKernel> slices_of_arrays() {
  const std::vector<Row> rows = {
      {{64, 128}, DType::f32, {3, 0}, {8, 128}, false, true},
      {{64, 128}, DType::f32, {5, 0}, {8, 128}, true, true},
      {{64, 128}, DType::f32, {0, 0}, {3, 128}, false, true},
      {{64, 384}, DType::f32, {3, 0}, {8, 384}, false, false},
      {{64, 384}, DType::f32, {16, 0}, {16, 384}, false, true},
      {{64, 384}, DType::f32, {5, 0}, {8, 384}, true, false},
      {{64, 384}, DType::f32, {8, 0}, {8, 384}, true, true},
      {{64, 384}, DType::f32, {8, 0}, {4, 384}, false, false},
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, false, false},
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, true, false},
      {{64, 384}, DType::f32, {0, 128}, {8, 128}, true, true},
      {{64, 384}, DType::f32, {0, 0}, {8, 100}, false, false},
      {{64, 128}, DType::bf16, {3, 0}, {8, 128}, false, false},
      {{64, 128}, DType::bf16, {8, 0}, {8, 128}, false, true},
      {{64, 128}, DType::bf16, {8, 0}, {8, 128}, true, true},
      {{64, 128}, DType::bf16, {0, 0}, {4, 128}, false, false},
      {{64, 128}, DType::i8, {3, 0}, {8, 128}, false, false},
      {{64, 384}, DType::i8, {8, 0}, {8, 384}, true, true},
      {{4, 384}, DType::f32, {1, 0}, {2, 384}, false, false},
      {{12, 384}, DType::f32, {4, 0}, {8, 384}, false, false},
      {{3, 8, 384}, DType::f32, {1, 0, 0}, {1, 8, 384}, false, true},
      {{3, 20, 384}, DType::bf16, {1, 8, 0}, {1, 8, 384}, false, true},
      {{16, 256}, DType::f32, {8, 128}, {8, 128}, false, true},
      {{24, 200}, DType::f32, {8, 0}, {8, 200}, false, false},
      {{24, 200}, DType::f32, {8, 128}, {8, 72}, false, false},
      {{24, 200}, DType::f32, {8, 0}, {8, 128}, false, true},
      {{3, 8, 200}, DType::f32, {1, 0, 0}, {1, 8, 200}, false, false},
      {{3, 5, 200}, DType::f32, {1, 0, 0}, {1, 5, 200}, false, false},
      {{1, 384}, DType::f32, {0, 128}, {1, 128}, false, true},
      {{3, 384}, DType::f32, {0, 128}, {3, 128}, false, false},
      {{2048}, DType::f32, {1024}, {1024}, false, true},
      {{2048}, DType::f32, {128}, {128}, false, false},
      {{4096}, DType::bf16, {512}, {512}, true, false},
      {{256}, DType::f32, {128}, {128}, false, false},
  };
  std::vector<ChipKernel> all;
  for (const Row& r : rows) {
    const Kernel k = kernel("k", {smem(DType::i32, {1}), hbm(r.dtype, r.array)}, {hbm(r.dtype, r.size)},
                            [r](Ref s, Ref x, Ref o) { sync_copy(x.slice(starts(r, s), r.size), o); });
    all.push_back(judged_on_v5e(name_of_row("DMA", r), k, {{DType::i32, {1}}, {r.dtype, r.array}}, r.taken,
                                "target.alignment", "in1"));
  }
  return all;
}

std::vector<ChipKernel> slices_of_scratch() {
  std::vector<ChipKernel> all;
  const auto add = [&](DType dtype, std::int64_t rows, bool taken) {
    const Kernel k = kernel("k", {hbm(dtype, {8, 384})}, {hbm(dtype, {8, 384})}, [=](Ref x, Ref o) {
      scoped(vmem(dtype, {rows, 384}), [&](Ref b) {
        sync_copy(x, b.rows(8, 8));
        sync_copy(b.rows(8, 8), o);
      });
    });
    all.push_back(judged_on_v5e(fmt::format("scratch {} of {} rows", name_of(dtype), rows), k, {{dtype, {8, 384}}},
                                taken, "target.alignment"));
  };
  add(DType::f32, 64, true), add(DType::bf16, 64, true), add(DType::i8, 64, false), add(DType::i8, 60, true);
  return all;
}

// Loads from a window that is the whole array.
std::vector<ChipKernel> loads_from_windows() {
  const std::vector<Row> rows = {
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, true, false},  {{64, 384}, DType::f32, {0, 128}, {8, 128}, true, true},
      {{64, 384}, DType::f32, {5, 0}, {8, 128}, true, false},  {{64, 384}, DType::f32, {8, 0}, {8, 128}, true, true},
      {{64, 128}, DType::f32, {5, 0}, {8, 128}, true, true},   {{64, 128}, DType::bf16, {5, 0}, {8, 128}, true, false},
      {{64, 384}, DType::i8, {8, 0}, {8, 128}, true, true},    {{64, 384}, DType::f32, {3, 0}, {8, 128}, false, true},
      {{64, 384}, DType::f32, {0, 5}, {8, 128}, false, true},  {{64, 256}, DType::f32, {5, 0}, {1, 256}, true, true},
      {{64, 256}, DType::f32, {5, 0}, {2, 256}, true, false},  {{64, 384}, DType::f32, {5, 0}, {1, 128}, true, false},
      {{64, 128}, DType::bf16, {5, 0}, {1, 128}, true, false},
  };
  std::vector<ChipKernel> all;
  for (const Row& r : rows) {
    const Kernel k = kernel("k", {smem(DType::i32, {1}), vmem(r.dtype, r.array)}, {vmem(r.dtype, r.size)},
                            [r](Ref s, Ref x, Ref o) { o.store(x.slice(starts(r, s), r.size).load()); });
    all.push_back(
        judged_on_v5e(name_of_row("load", r), k, {{DType::i32, {1}}, {r.dtype, r.array}}, r.taken, "target.alignment"));
  }
  return all;
}

std::vector<ChipKernel> operations() {
  std::vector<ChipKernel> all;
  const auto add = [&](const char* name, Combine f, DType dtype, const Chips& takes, const Chips& refuses,
                       const char* rule = "target.operation") {
    const Kernel k = kernel("k", {vmem(dtype, {32, 128}), vmem(dtype, {32, 128})}, {vmem(dtype, {32, 128})},
                            [=](Ref a, Ref b, Ref o) { o.store(f(a.load(), b.load())); });
    all.push_back({fmt::format("{} {}", name_of(dtype), name),
                   k,
                   {{dtype, {32, 128}}, {dtype, {32, 128}}},
                   takes,
                   refuses,
                   rule,
                   ""});
  };
  const auto plus = [](Value a, Value b) { return a + b; };
  const auto minus = [](Value a, Value b) { return a - b; };
  const auto times = [](Value a, Value b) { return a * b; };
  const auto most = [](Value a, Value b) { return max(a, b); };
  const auto less = [](Value a, Value b) { return select(a < b, a, b); };
  const auto equal = [](Value a, Value b) { return select(a == b, a, b); };
  const auto bits = [](Value a, Value b) { return a & b; };
  add("a + b", plus, DType::i8, kNone, kFour), add("a * b", times, DType::i8, kNone, kFour);
  add("max(a, b)", most, DType::i8, kNone, kFour), add("a < b", less, DType::i8, kNone, kFour);
  add("a == b", equal, DType::i8, kFour, kNone), add("a & b", bits, DType::i8, kFour, kNone);
  add("a + b", plus, DType::i16, kFour, kNone), add("a - b", minus, DType::i16, kNew, kOld);
  add("a < b", less, DType::i16, kNew, kOld), add("max(a, b)", most, DType::i16, kNone, kFour);
  for (const DType dtype : {DType::i32, DType::f32, DType::bf16}) {
    add(
        "a * b - a", [](Value a, Value b) { return a * b - a; }, dtype, kFour, kNone);
    add(
        "max where less", [](Value a, Value b) { return select(a < b, max(a, b), b); }, dtype, kFour, kNone);
  }
  add(
      "exp", [](Value a, Value) { return exp(a); }, DType::bf16, kFour, kNone);
  add(
      "a / b", [](Value a, Value b) { return a / b; }, DType::i32, kFour, kNone);
  add(
      "copy", [](Value a, Value) { return a; }, DType::f16, kNone, kFour, "target.type");
  return all;
}

std::vector<ChipKernel> blocks_of_grids() {
  std::vector<ChipKernel> all;
  const auto add = [&](const Shape& array, const Shape& block, bool taken) {
    const BlockSpec spec{
        block, [rank = block.size()](Index i) { return rank == 1 ? millrace::block(i) : millrace::block(i, 0); }};
    const Kernel k = grid_kernel("k", [](Ref x, Ref o) { o.store(x.load()); },
                                 {.grid = {1}, .in = {spec}, .out = {spec}, .out_arrays = {{DType::f32, array}}});
    all.push_back(judged_on_v5e(fmt::format("block {} of {}", to_string(block), to_string(array)), k,
                                {{DType::f32, array}}, taken, "target.block-shape"));
  };
  add({24, 384}, {8, 128}, true), add({24, 100}, {8, 100}, true), add({5, 384}, {5, 128}, true);
  add({20, 384}, {8, 128}, true), add({20, 200}, {8, 128}, true);
  add({24, 384}, {4, 128}, false), add({24, 384}, {8, 64}, false), add({24, 384}, {3, 5}, false);
  add({1000}, {128}, true), add({100}, {100}, true), add({4096}, {3072}, true);
  add({1000}, {100}, false), add({1000}, {384}, false);
  return all;
}

std::vector<ChipKernel> budgets() {
  constexpr std::int64_t kRowsOfAMiB = 2048;  // of 128 f32
  std::vector<ChipKernel> all;
  const auto scratch = [](std::int64_t rows) {
    return kernel("k", {hbm(DType::f32, {rows, 128})}, {hbm(DType::f32, {rows, 128})}, [=](Ref x, Ref o) {
      scoped(vmem(DType::f32, {rows, 128}), [&](Ref b) { sync_copy(x, b), sync_copy(b, o); });
    });
  };
  const auto add = [&](const char* name, const Kernel& k, const Shape& shape, const Chips& takes, const Chips& refuses,
                       const char* rule) {
    all.push_back({name, k, {{DType::f32, shape}}, takes, refuses, rule, ""});
  };
  const std::int64_t most = 16 * kRowsOfAMiB;
  add("scratch of 16 MiB", scratch(most), {most, 128}, kFour, kNone, "target.vmem");
  add("scratch of 16 MiB and a tile", scratch(most + 8), {most + 8, 128}, kNew, kOld, "target.vmem");
  add("scratch of 20 MiB", scratch(20 * kRowsOfAMiB), {20 * kRowsOfAMiB, 128}, kNew, kOld, "target.vmem");
  const auto semaphores = [](int n) {
    return kernel("k", {hbm(DType::f32, {8, 128})}, {hbm(DType::f32, {8, 128})}, [=](Ref x, Ref o) {
      scoped(dma_semaphores(n), [&](Semaphores s) {
        const auto c = make_async_copy(x, o, s[0]);
        c.start(), c.wait();
      });
    });
  };
  add("1000 semaphores", semaphores(1000), {8, 128}, {"tpu7x"}, {"v4", "v5e", "v6e"}, "target.semaphore-memory");
  add("5000 semaphores", semaphores(5000), {8, 128}, kNone, kFour, "target.semaphore-memory");
  add("200 semaphores", semaphores(200), {8, 128}, kFour, kNone, "target.semaphore-memory");
  return all;
}

std::vector<ChipKernel> all_chip_kernels() {
  std::vector<ChipKernel> all;
  for (auto* part : {slices_of_arrays, slices_of_scratch, loads_from_windows, operations, blocks_of_grids, budgets})
    for (ChipKernel& k : part()) all.push_back(std::move(k));
  return all;
}

}  // namespace millrace::test
