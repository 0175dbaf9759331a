# SPDX-License-Identifier: Apache-2.0
"""Memories go by the names that the kernel's author gave them: arguments of the kernel, arguments of what run_scoped is
given."""
import jax
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import millrace
from faults import ANY, DMA, ROWS, rows, shaped


def memories_of(kernel, *args, **spec):
  """Of the findings, each once, in their order."""
  report = millrace.check(pl.pallas_call(kernel, out_shape=shaped(8), **spec), *args)
  return list(dict.fromkeys((f.id, f.memory) for f in report))


def read_too_soon(x_hbm, out_ref, buf, sem):
  load = pltpu.make_async_copy(x_hbm, buf, sem)
  load.start()
  out_ref[...] = buf[...]
  load.wait()


def test_two_scopes_that_call_a_memory_by_one_name():
  def kernel(x_hbm, out_ref):
    for _ in range(2):
      pl.run_scoped(lambda buf, sem: read_too_soon(x_hbm, out_ref, buf, sem), ROWS, DMA)

  assert memories_of(kernel, rows(8), in_specs=[ANY]) == [("race.read-write", "buf"), ("race.read-write", "buf.2")]


def test_a_scope_may_call_a_memory_as_the_kernel_does():
  def kernel(x_hbm, out_ref, buf):
    buf[...] = jax.numpy.zeros((8, 128))
    pl.run_scoped(lambda buf, sem: read_too_soon(x_hbm, out_ref, buf, sem), ROWS, DMA)

  assert memories_of(kernel, rows(8), in_specs=[ANY], scratch_shapes=[ROWS]) == [("race.read-write", "buf.2")]


def test_a_scope_in_a_loop_and_in_a_branch():
  def kernel(x_hbm, out_ref):
    def step(i, _):
      @pl.when(i == 1)
      def _():
        pl.run_scoped(lambda tile, done: read_too_soon(x_hbm, out_ref, tile, done), ROWS, DMA)

      return ()

    pl.run_scoped(lambda other: other.__setitem__(..., jax.numpy.zeros((8, 128))), ROWS)
    lax.fori_loop(0, 2, step, ())

  assert memories_of(kernel, rows(8), in_specs=[ANY]) == [("race.read-write", "tile")]


def test_scopes_that_jax_repeats_keep_the_names_of_the_program():
  def kernel(x_hbm, out_ref):
    def step(i, _):
      pl.run_scoped(lambda tile, done: read_too_soon(x_hbm, out_ref, tile, done), ROWS, DMA)
      return ()

    lax.fori_loop(0, 2, step, (), unroll=True)

  found = memories_of(kernel, rows(8), in_specs=[ANY])
  assert found and {m for _, m in found} <= {"scoped0", "scoped1"}


def test_an_argument_may_be_called_as_if_it_were_of_a_scope():
  def kernel(x_ref, out_hbm, scoped_rows, sem):
    scoped_rows[...] = x_ref[...]
    pltpu.make_async_copy(scoped_rows, out_hbm, sem).start()

  found = memories_of(kernel, rows(8), out_specs=ANY, scratch_shapes=[ROWS, DMA])
  assert found == [("leftover.dma", "out_hbm")]


def test_a_pipelines_own_memories_have_no_names_of_the_users():
  def body(x_ref, out_ref):
    out_ref[...] = x_ref[...] + 1

  def kernel(x_hbm, out_hbm):
    block = pl.BlockSpec((8, 128), lambda i: (i, 0))
    pltpu.emit_pipeline(body, grid=(2,), in_specs=[block], out_specs=[block])(x_hbm, out_hbm)

  call = pl.pallas_call(kernel, out_shape=shaped(16), in_specs=[ANY], out_specs=ANY)
  assert list(millrace.check(call, rows(16))) == []
