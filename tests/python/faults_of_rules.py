# SPDX-License-Identifier: Apache-2.0
"""Kernels that the compiler of a chip refuses, and JAX does not, one for each rule; as in faults.py. Of a budget the
line is that of the kernel."""
import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

from faults import ANY, DMA, F32, SMEM, at, fault, rows, shaped


@fault("target.alignment", "x_hbm", rules=True)
def lanes_from_anywhere(faulty):
  def kernel(start_ref, x_hbm, out_ref, sem):
    start = start_ref[0] if faulty else pl.multiple_of(start_ref[0], 128)
    pltpu.sync_copy(x_hbm.at[:, pl.ds(start, 128)], out_ref)  # target.alignment

  call = pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[SMEM, ANY], scratch_shapes=[DMA])
  return call, (at(128), jnp.zeros((8, 256), F32))


@fault("target.block-shape", "x_ref", rules=True)
def a_window_padded_at_its_low_end(faulty):
  def kernel(x_ref, out_ref):
    out_ref[...] = x_ref[8:16]

  low = 8 if faulty else 0
  block = pl.BlockSpec((pl.Element(24, (low, 16 - low)), pl.Element(128)), lambda i: (8 * i, 0))
  call = pl.pallas_call(kernel, out_shape=shaped(16), grid=(2,), in_specs=[block],
                        out_specs=pl.BlockSpec((8, 128), lambda i: (i, 0)))
  return call, (rows(24),)


@fault("target.operation", "", rules=True)
def orders_bytes(faulty):
  def kernel(x_ref, out_ref):
    x = x_ref[...] if faulty else x_ref[...].astype(jnp.int32)
    out_ref[...] = jnp.where(x > 0, 1.0, 0.0)  # target.operation

  return pl.pallas_call(kernel, out_shape=shaped(32)), (jnp.zeros((32, 128), jnp.int8),)


@fault("target.type", "", rules=True)
def half_floats(faulty):
  def kernel(x_ref, out_ref):
    out_ref[...] = x_ref[...]  # target.type

  dtype = jnp.float16 if faulty else jnp.bfloat16
  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((16, 128), dtype)), (jnp.zeros((16, 128), dtype),)


@fault("target.vmem", "big", rules=True)
def more_than_vmem(faulty):
  def kernel(x_hbm, out_ref, big):  # target.vmem
    pltpu.sync_copy(x_hbm, big.at[0:8])
    out_ref[...] = big[0:8]

  buffer = pltpu.VMEM((8 * (5000 if faulty else 50), 128), F32)
  return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY], scratch_shapes=[buffer]), (rows(8),)


@fault("target.smem", "table", rules=True)
def more_than_smem(faulty):
  def kernel(x_ref, out_ref, table):  # target.smem
    table[0] = jnp.float32(2)
    out_ref[...] = table[0] * x_ref[...]

  table = pltpu.SMEM((1 << (20 if faulty else 10),), F32)
  return pl.pallas_call(kernel, out_shape=shaped(8), scratch_shapes=[table]), (rows(8),)


@fault("target.semaphore-memory", "sems", rules=True)
def more_semaphores_than_there_are(faulty):
  def kernel(x_hbm, out_ref, sems):  # target.semaphore-memory
    load = pltpu.make_async_copy(x_hbm, out_ref, sems.at[0])
    load.start()
    load.wait()

  return pl.pallas_call(kernel, out_shape=shaped(8), in_specs=[ANY],
                        scratch_shapes=[DMA((100000 if faulty else 100,))]), (rows(8),)
