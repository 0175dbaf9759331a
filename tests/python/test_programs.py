# SPDX-License-Identifier: Apache-2.0
"""Programs as people write them, each against numpy: several features at once, none of them made for a test."""
import functools
import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, PartitionSpec as P

import millrace.jax

F32 = jnp.float32
ANY = pl.BlockSpec(memory_space=pl.ANY)
SMEM = pl.BlockSpec(memory_space=pltpu.SMEM)
DMA = pltpu.SemaphoreType.DMA
NEW = "out_type" in inspect.signature(pl.kernel).parameters  # JAX 0.10 calls its arguments by other names


@pytest.fixture(autouse=True)
def clean(door):
  yield
  report = millrace.jax.report()
  assert report.calls and list(report) == [], report


def normal(*shape):
  return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def like(x):
  return jax.ShapeDtypeStruct(x.shape, x.dtype)


def test_two_cores_share_the_rows_of_an_array():
  mesh = pltpu.create_tensorcore_mesh("core", num_cores=2)
  out, scratch = jax.ShapeDtypeStruct((64, 256), F32), [pltpu.VMEM((8, 256), F32), DMA((2,))]

  @functools.partial(pl.kernel, mesh=mesh, **{"out_type" if NEW else "out_shape": out},
                     **{"scratch_types" if NEW else "scratch_shapes": scratch})
  def relu(x_hbm, out_hbm, buf, sems):
    @pl.loop(0, 4)
    def _(i):
      rows = pl.ds(pl.multiple_of((lax.axis_index("core") * 4 + i) * 8, 8), 8)
      load = pltpu.make_async_copy(x_hbm.at[rows], buf, sems.at[0])
      load.start()
      load.wait()
      buf[...] = jnp.maximum(buf[...], 0.0)
      store = pltpu.make_async_copy(buf, out_hbm.at[rows], sems.at[1])
      store.start()
      store.wait()

  x = normal(64, 256)
  np.testing.assert_array_equal(jax.jit(relu)(x), np.maximum(x, 0))


def test_a_pipeline_inside_a_pipeline():
  m, k, n, block = 128, 256, 256, 128

  def inner(x_ref, y_ref, out_ref, acc):
    @pl.when(pl.program_id(1) == 0)
    def _():
      acc[...] = jnp.zeros_like(acc)

    acc[...] += jnp.dot(x_ref[...], y_ref[...], precision="highest")

    @pl.when(pl.program_id(1) == pl.num_programs(1) - 1)
    def _():
      out_ref[...] = acc[...]

  def kernel(x_hbm, y_hbm, out_hbm):
    def outer(x_rows, out_rows):
      def with_sums(acc):
        pltpu.emit_pipeline(functools.partial(inner, acc=acc), grid=(n // block, k // block),
                            in_specs=[pl.BlockSpec((64, block), lambda j, i: (0, i)),
                                      pl.BlockSpec((block, block), lambda j, i: (i, j))],
                            out_specs=[pl.BlockSpec((64, block), lambda j, i: (0, j))])(x_rows, y_hbm, out_rows)

      pl.run_scoped(with_sums, pltpu.VMEM((64, block), F32))

    pltpu.emit_pipeline(outer, grid=(m // 64,), in_specs=[pl.BlockSpec((64, k), lambda i: (i, 0))],
                        out_specs=[pl.BlockSpec((64, n), lambda i: (i, 0))])(x_hbm, out_hbm)

  x, y = normal(m, k), normal(k, n)
  got = pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((m, n), F32), in_specs=[ANY, ANY], out_specs=ANY)(x, y)
  np.testing.assert_allclose(got, x @ y, rtol=1e-4, atol=1e-4)


def test_a_running_sum_over_chunks_whose_number_is_data():
  chunk = 16

  def kernel(n_ref, x_hbm, out_hbm, rows_ref):
    n = n_ref[0]

    def scope(buf, sums, loaded, stored, carry):
      def load(i, slot):
        return pltpu.make_async_copy(x_hbm.at[pl.ds(i * chunk, chunk)], buf.at[slot], loaded.at[slot])

      def store(i, slot):
        return pltpu.make_async_copy(sums.at[slot], out_hbm.at[pl.ds(i * chunk, chunk)], stored.at[slot])

      def step(i, _):
        slot = lax.rem(i, 2)

        @pl.when(i + 1 < n)
        def _():
          load(i + 1, 1 - slot).start()

        load(i, slot).wait()

        @pl.when(i >= 2)
        def _():
          store(i - 2, slot).wait()

        def row(r, sum):
          sum = sum + buf[slot, pl.ds(r, 1)]
          sums[slot, pl.ds(r, 1)] = sum
          return sum

        carry[...] = lax.fori_loop(0, chunk, row, carry[...])
        store(i, slot).start()
        return ()

      carry[...] = jnp.zeros_like(carry)
      load(0, 0).start()
      lax.fori_loop(0, n, step, ())

      @pl.when(n >= 2)
      def _():
        store(n - 2, lax.rem(n, 2)).wait()

      store(n - 1, lax.rem(n + 1, 2)).wait()
      rows_ref[0] = n * chunk

    pl.run_scoped(scope, pltpu.VMEM((2, chunk, 128), F32), pltpu.VMEM((2, chunk, 128), F32), DMA((2,)), DMA((2,)),
                  pltpu.VMEM((1, 128), F32))

  x = np.round(normal(5 * chunk, 128) * 5)
  call = pl.pallas_call(kernel, out_shape=(like(x), jax.ShapeDtypeStruct((1,), jnp.int32)), in_specs=[SMEM, ANY],
                        out_specs=(ANY, SMEM))
  got, rows = jax.jit(call)(jnp.array([5], jnp.int32), x)
  np.testing.assert_array_equal(got, np.cumsum(x, 0))
  assert rows[0] == 5 * chunk


def test_an_all_reduce_around_a_ring():
  devices = 4
  mesh = Mesh(np.array(jax.devices()[:devices]), ("x",))

  def kernel(x_ref, out_ref, comm, sent, arrived, free):
    me = lax.axis_index("x")
    left, right = lax.rem(me + devices - 1, devices), lax.rem(me + 1, devices)
    signal = functools.partial(pl.semaphore_signal, inc=1, device_id_type=pl.DeviceIdType.MESH)
    ready = pltpu.get_barrier_semaphore()
    signal(ready, device_id=(left,))
    signal(ready, device_id=(right,))
    pl.semaphore_wait(ready, 2)
    out_ref[...] = x_ref[...]
    comm[0] = x_ref[...]

    def step(i, _):
      slot = lax.rem(i, 2)

      @pl.when(i > 0)
      def _():
        pl.semaphore_wait(free, 1)

      copy = pltpu.make_async_remote_copy(comm.at[slot], comm.at[1 - slot], sent.at[slot], arrived.at[1 - slot],
                                          device_id=(right,), device_id_type=pl.DeviceIdType.MESH)
      copy.start()
      copy.wait()

      @pl.when(i < devices - 2)
      def _():
        signal(free, device_id=(left,))

      out_ref[...] += comm[1 - slot]
      return ()

    lax.fori_loop(0, devices - 1, step, ())

  def all_reduce(x):
    return pl.pallas_call(kernel, out_shape=like(x),
                          scratch_shapes=[pltpu.VMEM((2, *x.shape), x.dtype), DMA((2,)), DMA((2,)),
                                          pltpu.SemaphoreType.REGULAR],
                          compiler_params=pltpu.CompilerParams(collective_id=0))(x)

  f = jax.jit(jax.shard_map(all_reduce, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))
  x = np.arange(devices * 8 * 128, dtype=np.float32).reshape(devices, 8, 128)
  np.testing.assert_array_equal(f(x.reshape(-1, 128)), np.tile(x.sum(0), (devices, 1)))


def test_gradients_through_a_scan_of_kernels_with_custom_vjp():
  def forward_kernel(x_ref, out_ref, slope_ref):
    t = jnp.tanh(x_ref[...])
    out_ref[...] = t
    slope_ref[...] = 1 - t * t

  def multiply(a_ref, b_ref, out_ref):
    out_ref[...] = a_ref[...] * b_ref[...]

  def both(x):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    return pl.pallas_call(forward_kernel, grid=(x.shape[0] // 8,), in_specs=[block], out_specs=[block, block],
                          out_shape=[like(x), like(x)],
                          compiler_params=pltpu.CompilerParams(dimension_semantics=("parallel",)))(x)

  @jax.custom_vjp
  def act(x):
    return both(x)[0]

  act.defvjp(lambda x: tuple(both(x)), lambda s, g: (pl.pallas_call(multiply, out_shape=like(g))(s, g),))

  def loss(act, weights, x):
    return jnp.mean(lax.scan(lambda h, w: (act(h @ w), None), x, weights)[0] ** 2)

  weights, x = normal(3, 128, 128) / 11, normal(16, 128)
  got = jax.jit(jax.grad(functools.partial(loss, act)))(weights, x)
  want = jax.jit(jax.grad(functools.partial(loss, jnp.tanh)))(weights, x)
  np.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-6)


def test_a_batch_of_layer_norms():
  def kernel(x_ref, gain_ref, out_ref):
    x = x_ref[...].astype(F32)
    x -= jnp.mean(x, -1, keepdims=True)
    out_ref[...] = (x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * gain_ref[...]).astype(out_ref.dtype)

  def norm(x, gain):
    rows = pl.BlockSpec((16, x.shape[1]), lambda i: (i, 0))
    return pl.pallas_call(kernel, out_shape=like(x), grid=(x.shape[0] // 16,),
                          in_specs=[rows, pl.BlockSpec((1, x.shape[1]), lambda i: (0, 0))],
                          out_specs=rows)(x, gain[None])

  x, gain = normal(3, 2, 32, 256), normal(2, 256)
  centred = x - x.mean(-1, keepdims=True)
  want = centred / np.sqrt(x.var(-1, keepdims=True) + 1e-6) * gain[None, :, None]
  batched = jax.vmap(jax.vmap(norm), (0, None))
  np.testing.assert_allclose(jax.jit(batched)(x, gain), want, rtol=1e-4, atol=1e-4)
  np.testing.assert_allclose(batched(x.astype(jnp.bfloat16), gain).astype(F32), want, rtol=3e-2, atol=5e-2)


def test_a_product_of_sparse_blocks_whose_places_are_prefetched():
  b = 128

  def kernel(row_of, column_of, block_ref, y_ref, zeros_ref, out_ref, acc):
    i, last = pl.program_id(1), pl.num_programs(1) - 1

    @pl.when((i == 0) | (row_of[i] != row_of[jnp.maximum(i, 1) - 1]))
    def _():
      acc[...] = jnp.zeros_like(acc)

    acc[...] += jnp.dot(block_ref[0], y_ref[...], precision="highest")

    @pl.when((i == last) | (row_of[i] != row_of[jnp.minimum(i + 1, last)]))
    def _():
      out_ref[...] = acc[...]

  places = [(0, 1), (1, 0), (1, 2), (3, 0), (3, 1)]
  blocks, y = normal(len(places), b, b), normal(3 * b, 2 * b)
  dense = np.zeros((4 * b, 3 * b), np.float32)
  for block, (r, c) in zip(blocks, places):
    dense[r * b:(r + 1) * b, c * b:(c + 1) * b] = block
  at_row = pl.BlockSpec((b, b), lambda j, i, rows, columns: (rows[i], j))
  spec = pltpu.PrefetchScalarGridSpec(
      num_scalar_prefetch=2, grid=(2, len(places)), scratch_shapes=[pltpu.VMEM((b, b), F32)], out_specs=at_row,
      in_specs=[pl.BlockSpec((1, b, b), lambda j, i, rows, columns: (i, 0, 0)),
                pl.BlockSpec((b, b), lambda j, i, rows, columns: (columns[i], j)), at_row])
  zeros = jnp.zeros((4 * b, 2 * b), F32)
  call = pl.pallas_call(kernel, grid_spec=spec, out_shape=like(zeros), input_output_aliases={4: 0})
  rows, columns = jnp.array(places, jnp.int32).T
  np.testing.assert_allclose(jax.jit(call)(rows, columns, blocks, y, zeros), dense @ y, rtol=1e-3, atol=1e-3)


def test_rows_of_a_table_are_gathered_by_many_copies_in_flight():
  def kernel(ids_ref, table, out_ref, sem):
    first = 8 * pl.program_id(0)
    copies = [pltpu.make_async_copy(table.at[ids_ref[first + r]], out_ref.at[r], sem) for r in range(8)]
    for copy in copies:
      copy.start()
    for copy in copies:
      copy.wait()

  table, ids = normal(100, 1, 256), np.random.default_rng(0).integers(0, 100, 40).astype(np.int32)
  spec = pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(5,), in_specs=[ANY], scratch_shapes=[DMA],
                                      out_specs=pl.BlockSpec((8, 1, 256), lambda i, ids: (i, 0, 0)))
  call = pl.pallas_call(kernel, grid_spec=spec, out_shape=jax.ShapeDtypeStruct((40, 1, 256), F32))
  np.testing.assert_array_equal(jax.jit(call)(ids, table), table[ids])


def test_a_cache_is_donated_and_grows_in_place():
  def kernel(at_ref, new_ref, old_hbm, cache_hbm, sem):
    i = pl.program_id(0)
    pltpu.sync_copy(new_ref, cache_hbm.at[pl.ds(i, 1), pl.ds(pl.multiple_of(8 * at_ref[i], 8), 8)])

  @functools.partial(jax.jit, donate_argnums=2)
  def update(at, new, cache):
    spec = pltpu.PrefetchScalarGridSpec(num_scalar_prefetch=1, grid=(3,), out_specs=ANY, scratch_shapes=[DMA],
                                        in_specs=[pl.BlockSpec((1, 8, 128), lambda i, at: (i, 0, 0)), ANY])
    return pl.pallas_call(kernel, grid_spec=spec, out_shape=like(cache), input_output_aliases={2: 0})(at, new, cache)

  random, want = np.random.default_rng(0), np.zeros((3, 64, 128), np.float32)
  cache = jnp.asarray(want) + 0
  for _ in range(3):
    at, new = random.integers(0, 8, 3).astype(np.int32), random.normal(size=(3, 8, 128)).astype(np.float32)
    cache = update(at, new, cache)
    for i in range(3):
      want[i, 8 * at[i]:8 * at[i] + 8] = new[i]
  np.testing.assert_array_equal(cache, want)


def test_stores_under_conditions_several_outputs_and_a_count():
  def kernel(most_ref, x_ref, out_ref, largest_ref, count_ref):
    x, most = x_ref[...], most_ref[0]

    @pl.when(pl.program_id(0) == 0)
    def _():
      count_ref[0] = 0

    @pl.when(jnp.any(x > most))
    def _():
      out_ref[...] = jnp.minimum(x, most)
      count_ref[0] += 1

    @pl.when(jnp.logical_not(jnp.any(x > most)))
    def _():
      out_ref[...] = x

    largest_ref[...] = jnp.broadcast_to(jnp.max(x, axis=1, keepdims=True), (8, 128))

  x = normal(32, 256)
  x[8:16] = np.minimum(x[8:16], 1)
  rows = pl.BlockSpec((8, 256), lambda i: (i, 0))
  call = pl.pallas_call(kernel, grid=(4,), in_specs=[SMEM, rows], input_output_aliases={1: 0},
                        out_specs=[rows, pl.BlockSpec((8, 128), lambda i: (i, 0)), SMEM],
                        out_shape=[like(x), jax.ShapeDtypeStruct((32, 128), F32),
                                   jax.ShapeDtypeStruct((1,), jnp.int32)])
  got, largest, count = jax.jit(call)(jnp.array([1.5], F32), x)
  np.testing.assert_array_equal(got, np.minimum(x, 1.5))
  np.testing.assert_array_equal(largest[:, 0], x.max(1))
  assert count[0] == sum((x[8 * i:8 * i + 8] > 1.5).any() for i in range(4))


def test_windows_that_overlap_and_windows_past_the_end():
  def halo(x_ref, out_ref):
    out_ref[...] = x_ref[0:8] + x_ref[8:16]

  x = normal(64, 256)
  block = pl.BlockSpec((8, 256), lambda i: (i, 0))
  got = pl.pallas_call(halo, grid=(6,), out_specs=block, out_shape=jax.ShapeDtypeStruct((48, 256), F32),
                       in_specs=[pl.BlockSpec((pl.Element(16), pl.Element(256)), lambda i: (8 * i, 0))])(x)
  np.testing.assert_array_equal(got, x[:48] + x[8:56])

  def add_one(x_ref, out_ref):
    out_ref[...] = x_ref[...] + 1

  ragged, block = normal(20, 200), pl.BlockSpec((8, 128), lambda i, j: (i, j))
  got = pl.pallas_call(add_one, grid=(3, 2), in_specs=[block], out_specs=block, out_shape=like(ragged))(ragged)
  np.testing.assert_array_equal(got, ragged + 1)
