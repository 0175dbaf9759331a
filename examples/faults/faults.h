// SPDX-License-Identifier: Apache-2.0
// The smallest kernel for each fault that a check can find, and with `mended` its right twin. `millrace explain` shows
// them; the tests check each of them.
#pragma once

#include <vector>

#include "millrace/millrace.h"

namespace millrace::faults {

// -- race.read-write
inline Kernel race_read_write(bool mended) {
  auto body = [=](Ref x, Ref out, Ref buf, Semaphore arrived) {
    auto load = make_async_copy(x, buf, arrived);
    load.start();
    if (mended) load.wait();
    out.store(buf.load());  // reads what the load may still be writing
    if (!mended) load.wait();
  };
  return kernel("race", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body,
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

// -- race.write-write
inline Kernel race_write_write(bool mended) {
  auto body = [=](Ref x, Ref y, Ref out, Ref buf, Semaphores arrived) {
    auto load_x = make_async_copy(x, buf, arrived[0]), load_y = make_async_copy(y, buf, arrived[1]);
    load_x.start();
    if (mended) load_x.wait();
    load_y.start();  // both write `buf`
    if (!mended) load_x.wait();
    load_y.wait();
    out.store(buf.load());
  };
  return kernel("race", {hbm(f32, {8, 128}), hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body,
                {.scratch = {vmem(f32, {8, 128}), dma_semaphores(2)}});
}

// -- deadlock
inline Kernel deadlock(bool mended) {
  auto body = [=](Ref x, Ref out, Ref buf, Semaphore arrived) {
    auto load = make_async_copy(x, buf, arrived);
    load.start();
    load.wait();
    out.store(buf.load());
    if (!mended) load.wait();  // nothing raises `arrived` again
  };
  return kernel("twice_awaited", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body,
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

// -- leftover.dma
inline Kernel leftover_dma(bool mended) {
  auto body = [=](Ref x, Ref out, Semaphore done) {
    auto copy = make_async_copy(x, out, done);
    copy.start();
    if (mended) copy.wait();
  };
  return kernel("not_awaited", {hbm(f32, {8, 128})}, {hbm(f32, {8, 128})}, body, {.scratch = {dma_semaphore()}});
}

// -- leftover.semaphore
inline Kernel leftover_semaphore(bool mended) {
  auto body = [=](Ref x, Ref out, Semaphore ready) {
    signal(ready, 2);
    wait(ready, mended ? 2 : 1);
    out.store(x.load());
  };
  return kernel("signalled_twice", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, body, {.scratch = {semaphore()}});
}

// -- scope.use-after
inline Kernel scope_use_after(bool mended) {
  auto body = [=](Ref x, Ref out, Ref other, Semaphore arrived) {
    scoped(vmem(f32, {8, 128}), [&](Ref buf) {
      auto load = make_async_copy(x, buf, arrived);
      load.start();
      if (mended) load.wait();
    });
    if (!mended) make_async_copy(x, other, arrived).wait();  // `buf` is gone
    out.store(1.0f);
  };
  return kernel("outlives", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body,
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

// -- uninitialized.read
inline Kernel uninitialized_read(bool mended) {
  auto body = [=](Ref x, Ref out, Ref sum) {
    if (mended) sum.store(0.0f);
    Value before = sum.load();
    sum.store(before + x.load());
    out.store(sum.load());
  };
  return kernel("not_zeroed", {vmem(f32, {8, 128})}, {vmem(f32, {8, 128})}, body, {.scratch = {vmem(f32, {8, 128})}});
}

// -- padding.reduction
inline Kernel padding_reduction(bool mended) {  // of 20 rows in blocks of 8
  auto body = [=](Ref x, Ref out) {
    when(program_id(0) == 0, [&] { out.store(0.0f); });
    Value rows = x.load();
    if (mended) rows = select(iota(i32, {8, 128}, 0) + 8 * program_id(0) < 20, rows, 0.0f);
    Value before = out.load();
    out.store(before + sum(rows, over(0)));
  };
  auto rows = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("column_sums", body,
                     {.grid = {3}, .in = {rows}, .out = {BlockSpec::whole()}, .out_arrays = {{f32, {1, 128}}}});
}

// -- uncovered.output
inline Kernel uncovered_output(bool mended) {
  auto rows = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("one_block_short", [](Ref x, Ref out) { out.store(x.load()); },
                     {.grid = {mended ? 4 : 3}, .in = {rows}, .out = {rows}, .out_arrays = {{f32, {32, 128}}}});
}

// -- revisit.output
inline Kernel revisit_output(bool mended) {
  auto rows = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  auto pairs = BlockSpec{{8, 128}, [=](Index i) { return mended ? block(i / 2, 0) : block(i % 2, 0); }};
  return grid_kernel("to_and_fro", [](Ref x, Ref out) { out.store(x.load()); },
                     {.grid = {4}, .in = {rows}, .out = {pairs}, .out_arrays = {{f32, {16, 128}}}});
}

// -- alias.hazard
inline Kernel alias_hazard(bool mended) {
  auto before = BlockSpec{{8, 128}, [=](Index i) { return mended ? block(i, 0) : block(max(i - 1, 0), 0); }};
  auto rows = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("in_place", [](Ref x, Ref out) { out.store(x.load() + 100.0f); },
                     {.grid = {4}, .in = {before}, .out = {rows}, .aliases = {{0, 0}}});
}

// -- bounds.dma
inline Kernel bounds_dma(bool mended) {
  auto body = [=](Ref x, Ref out) {
    for_range(0, 4, [&](Index i) { sync_copy(x.rows(8 * i + (mended ? 0 : 1), 8), out.rows(8 * i, 8)); });
  };
  return kernel("one_row_on", {hbm(f32, {32, 128})}, {hbm(f32, {32, 128})}, body);
}

// -- bounds.access
inline Kernel bounds_access(bool mended) {
  auto body = [=](Ref x, Ref out) {
    for_range(0, 4, [&](Index i) { out.rows(8 * i, 8).store(x.rows(8 * i + (mended ? 0 : 1), 8).load()); });
  };
  return kernel("one_row_on", {vmem(f32, {32, 128})}, {vmem(f32, {32, 128})}, body);
}

// -- bounds.block
inline Kernel bounds_block(bool mended) {
  auto in = BlockSpec{{8, 128}, [=](Index i) { return mended ? block(i, 0) : block(8 * i, 0); }};
  auto out = BlockSpec{{8, 128}, [](Index i) { return block(i, 0); }};
  return grid_kernel("rows_for_blocks", [](Ref x, Ref y) { y.store(x.load()); },
                     {.grid = {4}, .in = {in}, .out = {out}});
}

// -- target.semaphore
inline Kernel target_semaphore(bool mended) {
  auto body = [=](Ref x, Ref out, Ref buf, Semaphore arrived) {
    auto load = make_async_copy(x, buf, arrived);
    load.start();
    load.wait();
    if (mended)
      out.store(buf.load());
    else
      when(semaphore_read(arrived) == 0, [&] { out.store(buf.load()); });
  };
  return kernel("asks_the_count", {hbm(f32, {8, 128})}, {vmem(f32, {8, 128})}, body,
                {.scratch = {vmem(f32, {8, 128}), dma_semaphore()}});
}

// -- (all of them)
struct Example {
  const char* id;
  Kernel (*kernel)(bool mended);
  std::vector<Shape> inputs;  // f32
};

inline std::vector<Example> examples() {
  const Shape tile = {8, 128}, four = {32, 128};
  return {{"race.read-write", race_read_write, {tile}},
          {"race.write-write", race_write_write, {tile, tile}},
          {"deadlock", deadlock, {tile}},
          {"leftover.dma", leftover_dma, {tile}},
          {"leftover.semaphore", leftover_semaphore, {tile}},
          {"scope.use-after", scope_use_after, {tile}},
          {"uninitialized.read", uninitialized_read, {tile}},
          {"padding.reduction", padding_reduction, {{20, 128}}},
          {"uncovered.output", uncovered_output, {four}},
          {"revisit.output", revisit_output, {four}},
          {"alias.hazard", alias_hazard, {four}},
          {"bounds.dma", bounds_dma, {four}},
          {"bounds.access", bounds_access, {four}},
          {"bounds.block", bounds_block, {four}},
          {"target.semaphore", target_semaphore, {tile}}};
}

}  // namespace millrace::faults
