// SPDX-License-Identifier: Apache-2.0
// The kernels that several tests trace: the four that set the feel of the language.
#pragma once

#include "millrace/language.h"

namespace millrace::test {

inline void axpy(Ref x, Ref y, Ref out) {
  out.store(cast(2.0f * cast(x.load(), f32) + cast(y.load(), f32), out.dtype()));
}

inline Kernel softmax_rows() {
  auto rows = BlockSpec{{8, 512}, [](Index i) { return block(i, 0); }};
  auto body = [](Ref x, Ref out) {
    Value v = x.load();
    Value e = exp(v - max(v, over(1)));
    out.store(e / sum(e, over(1)));
  };
  return grid_kernel("softmax", body, {.grid = {4}, .in = {rows}, .out = {rows}});
}

inline Kernel blocked_matmul(int m, int n, int k) {
  auto step = [](Ref a, Ref b, Ref c) {
    when(program_id(2) == 0, [&] { c.store(zeros_like(c)); });
    c.store(c.load() + dot(a.load(), b.load()));
  };
  return grid_kernel("matmul", step,
                     {.grid = {m / 128, n / 128, k / 128},
                      .in = {{{128, 128}, [](Index i, Index, Index l) { return block(i, l); }},
                             {{128, 128}, [](Index, Index j, Index l) { return block(l, j); }}},
                      .out = {{{128, 128}, [](Index i, Index j, Index) { return block(i, j); }}}});
}

inline Kernel pipelined_axpy(int in_slots, int out_slots, bool synchronous = false, DType dtype = f32) {
  auto body = [=](Ref x, Ref y, Ref out) {
    auto tile = [](int slots) {
      return BlockSpec{{8, 128}, [](Index i, Index j) { return block(i, j); }, Buffered{slots}};
    };
    emit_pipeline(axpy, {.grid = {3, 3},
                         .in = {tile(in_slots), tile(in_slots)},
                         .out = {tile(out_slots)},
                         .no_pipelining = synchronous})(x, y, out);
  };
  return kernel("axpy", {hbm(dtype, {24, 384}), hbm(dtype, {24, 384})}, {hbm(dtype, {24, 384})}, body);
}

inline Kernel scale_by_hand() {
  return kernel("scale", {hbm(f32, {64, 256})}, {hbm(f32, {64, 256})}, [](Ref x, Ref out) {
    scoped(vmem(f32, {2, 8, 256}), dma_semaphores(2), [&](Ref buf, Semaphores arrived) {
      auto load = [&](Index i) { return make_async_copy(x.rows(8 * i, 8), buf[i % 2], arrived[i % 2]); };
      load(0).start();
      for_range(0, 8, [&](Index i) {
        when(i + 1 < 8, [&] { load(i + 1).start(); });
        load(i).wait();
        buf[i % 2].store(2.0f * buf[i % 2].load());
        sync_copy(buf[i % 2], out.rows(8 * i, 8));
      });
    });
  });
}

}  // namespace millrace::test
