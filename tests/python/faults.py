# SPDX-License-Identifier: Apache-2.0
"""A faulty kernel for each finding that a kernel from JAX can meet, and the twin that is mended.

Each is a function of `faulty` that returns a JAX function and its arguments. A line with `# ID` at its end is the one
that the finding of that id is to name.
"""
import dataclasses
import functools
import pathlib
from typing import Callable

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

F32 = jnp.float32
ANY = pl.BlockSpec(memory_space=pl.ANY)
DMA = pltpu.SemaphoreType.DMA
ROWS = pltpu.VMEM((8, 128), F32)


@dataclasses.dataclass(frozen=True)
class Fault:
  id: str
  argument: str  # as the kernel calls it
  make: Callable  # of whether the fault is in
  options: dict  # that it takes to be looked for

  @property
  def places(self):
    """One of which is named; none where no line is due. JAX 0.9.2 and 0.10.2 differ on where a copy is started;
    the latter gives two copies of one shape one place."""
    path = pathlib.Path(self.make.__code__.co_filename)
    lines = path.read_text().splitlines()
    return [f"{path.name}:{n}" for n, text in enumerate(lines, 1) if text.endswith("# " + self.id)]


ALL = []


def fault(id, argument, **options):
  def keep(make):
    ALL.append(Fault(id, argument, make, options))
    return make

  return keep


def rows(n):
  return jnp.arange(n * 128, dtype=F32).reshape(n, 128)


def shaped(n):
  return jax.ShapeDtypeStruct((n, 128), F32)


@fault("race.read-write", "buf")
def read_before_wait(faulty):
  def kernel(x_hbm, out_ref, buf, sem):
    load = pltpu.make_async_copy(x_hbm, buf, sem)
    load.start()
    if not faulty:
      load.wait()
    out_ref[...] = 2 * buf[...]  # race.read-write
    if faulty:
      load.wait()

  return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY], scratch_shapes=[ROWS, DMA]), (rows(8),)


@fault("race.write-write", "buf")
def two_loads_into_one_buffer(faulty):
  def kernel(x_hbm, y_hbm, out_ref, buf, sems):
    one = pltpu.make_async_copy(x_hbm, buf, sems.at[0])
    two = pltpu.make_async_copy(y_hbm, buf, sems.at[1])  # race.write-write
    one.start()  # race.write-write
    if not faulty:
      one.wait()
    two.start()  # race.write-write
    if faulty:
      one.wait()
    two.wait()
    out_ref[...] = buf[...]

  call = pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY, ANY], scratch_shapes=[ROWS, DMA((2,))])
  return call, (rows(8), rows(8))


@fault("deadlock", "credit")
def wait_for_nobody(faulty):
  def kernel(x_ref, out_ref, credit):
    if not faulty:
      pl.semaphore_signal(credit, 1)
    pl.semaphore_wait(credit, 1)  # deadlock
    out_ref[...] = x_ref[...]

  return pl.pallas_call(kernel, out_shape=shaped(8), scratch_shapes=[pltpu.SemaphoreType.REGULAR]), (rows(8),)


@fault("leftover.dma", "out_hbm")
def store_that_nobody_awaits(faulty):
  def kernel(x_hbm, out_hbm, sem):
    store = pltpu.make_async_copy(x_hbm, out_hbm, sem)
    store.start()  # leftover.dma
    if not faulty:
      store.wait()

  return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY], out_specs=ANY, scratch_shapes=[DMA]), (rows(8),)


@fault("leftover.semaphore", "credit")
def two_signals_one_wait(faulty):
  def kernel(x_ref, out_ref, credit):
    pl.semaphore_signal(credit, 2)
    pl.semaphore_wait(credit, 1 if faulty else 2)
    out_ref[...] = x_ref[...]

  return pl.pallas_call(kernel, out_shape=shaped(8), scratch_shapes=[pltpu.SemaphoreType.REGULAR]), (rows(8),)


@fault("scope.use-after", "inner")
def buffer_ends_before_its_dma(faulty):
  def kernel(x_ref, out_hbm, sem):
    def scope(inner):
      inner[...] = x_ref[...]
      store = pltpu.make_async_copy(inner, out_hbm, sem)
      store.start()  # scope.use-after
      if not faulty:
        store.wait()

    pl.run_scoped(scope, ROWS)
    if faulty:
      pltpu.make_async_copy(out_hbm, out_hbm, sem).wait()

  return pl.pallas_call(kernel, out_shape=shaped(8), out_specs=ANY, scratch_shapes=[DMA]), (rows(8),)


@fault("uninitialized.read", "acc")
def accumulator_that_nobody_zeroed(faulty):
  def kernel(x_ref, out_ref, acc):
    if not faulty:
      acc[...] = jnp.zeros_like(acc)
    acc[...] += x_ref[...]
    out_ref[...] = acc[...]

  return pl.pallas_call(kernel, out_shape=shaped(8), scratch_shapes=[ROWS]), (rows(8),)


@fault("padding.reduction", "x_ref")
def sum_over_the_edge(faulty):
  def kernel(x_ref, out_ref):
    x = x_ref[...]
    if not faulty:
      row = jax.lax.broadcasted_iota(jnp.int32, (8, 128), 0) + 8 * pl.program_id(0)
      x = jnp.where(row < 12, x, 0)
    out_ref[...] = jnp.broadcast_to(jnp.sum(x, axis=0, keepdims=True), (8, 128))

  block = pl.BlockSpec((8, 128), lambda i: (i, 0))
  return pl.pallas_call(kernel, out_shape=shaped(16), grid=(2,), in_specs=[block], out_specs=block), (rows(12),)


@fault("uncovered.output", "out_ref")
def a_grid_one_step_short(faulty):
  def kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...]

  block = pl.BlockSpec((8, 128), lambda i: (i, 0))
  steps = 1 if faulty else 2
  return pl.pallas_call(kernel, out_shape=shaped(16), grid=(steps,), in_specs=[block], out_specs=block), (rows(16),)


@fault("revisit.output", "out_ref")
def sum_over_the_first_axis(faulty):
  def kernel(x_ref, out_ref):
    @pl.when(pl.program_id(0 if faulty else 1) == 0)
    def _():
      out_ref[...] = jnp.zeros_like(out_ref)

    out_ref[...] += x_ref[...]

  out = (lambda k, i: (i, 0)) if faulty else (lambda i, k: (i, 0))
  x = (lambda k, i: (i, k)) if faulty else (lambda i, k: (i, k))
  call = pl.pallas_call(kernel, out_shape=shaped(16), grid=(2, 2), in_specs=[pl.BlockSpec((8, 128), x)],
                        out_specs=pl.BlockSpec((8, 128), out))
  return call, (jnp.ones((16, 256), F32),)


@fault("alias.hazard", "x_ref")
def reads_what_the_last_step_replaced(faulty):
  def kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...] + 1

  behind = (lambda i: (jnp.maximum(i - 1, 0), 0)) if faulty else (lambda i: (i, 0))
  call = pl.pallas_call(kernel, out_shape=shaped(32), grid=(4,), in_specs=[pl.BlockSpec((8, 128), behind)],
                        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)), input_output_aliases={0: 0})
  return call, (rows(32),)


def at(start):
  return jnp.array([start], jnp.int32)


SMEM = pl.BlockSpec(memory_space=pltpu.SMEM)


@fault("bounds.dma", "x_hbm")
def load_past_the_end(faulty):
  def kernel(start_ref, x_hbm, out_ref, sem):
    load = pltpu.make_async_copy(x_hbm.at[pl.ds(start_ref[0], 8)], out_ref, sem)
    load.start()  # bounds.dma
    load.wait()

  call = pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[SMEM, ANY], scratch_shapes=[DMA])
  return call, (at(12 if faulty else 8), rows(16))


@fault("bounds.access", "x_ref")
def read_past_the_end(faulty):
  def kernel(start_ref, x_ref, out_ref):
    out_ref[...] = x_ref[pl.ds(start_ref[0], 8), :]  # bounds.access

  call = pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[SMEM, pl.BlockSpec()])
  return call, (at(9 if faulty else 8), rows(16))


@fault("bounds.block", "x_ref")
def map_that_counts_elements(faulty):
  def kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...]

  call = pl.pallas_call(kernel, out_shape=shaped(16), grid=(2,),
                        in_specs=[pl.BlockSpec((8, 128), lambda i: (8 * i if faulty else i, 0))],
                        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)))
  return call, (rows(16),)


@fault("assertion.failed", "")
def more_rows_than_fit(faulty):
  def kernel(count_ref, x_ref, out_ref):
    pl.debug_check(count_ref[0] <= 8, "at most 8 rows fit")  # assertion.failed
    out_ref[...] = x_ref[...]

  def call(count, x):
    with pl.enable_debug_checks(True):
      return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[SMEM, pl.BlockSpec()])(count, x)

  return call, (at(9 if faulty else 8), rows(8))


@fault("target.assumption", "")
def a_multiple_that_is_none(faulty):
  def kernel(start_ref, x_ref, out_ref):
    out_ref[...] = x_ref[pl.ds(pl.multiple_of(start_ref[0], 8), 8), :]  # target.assumption

  call = pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[SMEM, pl.BlockSpec()])
  return call, (at(4 if faulty else 8), rows(16))


@fault("target.semaphore", "arrived")
def asks_how_much_has_arrived(faulty):
  def kernel(x_hbm, out_ref, arrived):
    load = pltpu.make_async_copy(x_hbm, out_ref, arrived)
    load.start()
    load.wait()
    if faulty:
      @pl.when(pl.semaphore_read(arrived) == 0)  # target.semaphore
      def _():
        out_ref[...] += 1

  return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY], scratch_shapes=[DMA]), (rows(8),)


def named(id):
  return next(f for f in ALL if f.id == id)
