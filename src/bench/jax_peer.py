# SPDX-License-Identifier: Apache-2.0
"""The workloads of workloads.cpp in Pallas, run by JAX's TPU interpreter (pltpu.InterpretParams), as peer.h asks."""
import functools
import os
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy as np
from answering import answer
from jax._src.pallas.mosaic import tpu_info
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

HIGHEST = jax.lax.Precision.HIGHEST
call = functools.partial(pl.pallas_call, interpret=pltpu.InterpretParams())


def axpy(x, y, call=call):
  def tile(x_ref, y_ref, o_ref):
    o_ref[...] = 2.0 * x_ref[...] + y_ref[...]

  spec = pl.BlockSpec((8, 128), lambda i, j: (i, j), pipeline_mode=pl.Buffered(2))
  grid = (x.shape[0] // 8, x.shape[1] // 128)

  def kernel(x_ref, y_ref, o_ref):
    pltpu.emit_pipeline(tile, grid=grid, in_specs=[spec, spec], out_specs=[spec])(x_ref, y_ref, o_ref)

  whole = pl.BlockSpec(memory_space=pl.ANY)
  return call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), in_specs=[whole, whole], out_specs=whole)(x, y)


def matmul(a, b):
  def step(a_ref, b_ref, c_ref):
    @pl.when(pl.program_id(2) == 0)
    def _():
      c_ref[...] = jnp.zeros_like(c_ref)

    c_ref[...] += jnp.dot(a_ref[...], b_ref[...], precision=HIGHEST)

  left = pl.BlockSpec((128, 128), lambda i, j, k: (i, k))
  right = pl.BlockSpec((128, 128), lambda i, j, k: (k, j))
  product = pl.BlockSpec((128, 128), lambda i, j, k: (i, j))
  return call(step, grid=(4, 4, 4), out_shape=jax.ShapeDtypeStruct(a.shape, a.dtype), in_specs=[left, right],
              out_specs=product)(a, b)


def flash(q, k, v):
  def step(q_ref, k_ref, v_ref, o_ref, largest, total, sum_of):
    @pl.when(pl.program_id(1) == 0)
    def _():
      largest[...] = jnp.full_like(largest, -1e30)
      total[...] = jnp.zeros_like(total)
      sum_of[...] = jnp.zeros_like(sum_of)

    scores = jnp.dot(q_ref[...], k_ref[...].T, precision=HIGHEST)
    before = largest[...]
    now = jnp.maximum(before, scores.max(1, keepdims=True))
    weights, fade = jnp.exp(scores - now), jnp.exp(before - now)
    largest[...] = now
    total[...] = fade * total[...] + weights.sum(1, keepdims=True)
    sum_of[...] = fade * sum_of[...] + jnp.dot(weights, v_ref[...], precision=HIGHEST)

    @pl.when(pl.program_id(1) == pl.num_programs(1) - 1)
    def _():
      o_ref[...] = sum_of[...] / total[...]

  rows = pl.BlockSpec((128, 128), lambda i, j: (i, 0))
  keys = pl.BlockSpec((128, 128), lambda i, j: (j, 0))
  scratch = [pltpu.VMEM((128, 1), jnp.float32), pltpu.VMEM((128, 1), jnp.float32), pltpu.VMEM((128, 128), jnp.float32)]
  return call(step, grid=(8, 8), out_shape=jax.ShapeDtypeStruct(q.shape, q.dtype), in_specs=[rows, keys, keys],
              out_specs=rows, scratch_shapes=scratch)(q, k, v)


def axpy_races(x, y):
  return axpy(x, y, functools.partial(pl.pallas_call, interpret=pltpu.InterpretParams(detect_races=True)))


WORKLOADS = {"axpy": axpy, "axpy-races": axpy_races, "matmul": matmul, "flash": flash}
ready = {}


def prepare(name, steps, folder):
  inputs = []
  while os.path.exists(file := f"{folder}/in{len(inputs)}.npy"):
    inputs.append(jnp.asarray(np.load(file)))
  compiled = jax.jit(WORKLOADS[name]).lower(*inputs).compile()
  np.save(f"{folder}/out0.npy", np.asarray(compiled(*inputs)))
  ready[name, steps] = compiled, inputs
  return "ready"


def run(name, steps):
  """Wall time or the processor time of all threads, whichever is less: JAX is not to blame for a busy machine."""
  compiled, inputs = ready[name, steps]
  wall, cpu = time.perf_counter(), time.process_time()
  jax.block_until_ready(compiled(*inputs))
  return f"{1e3 * min(time.perf_counter() - wall, time.process_time() - cpu):.6f}"


jax.config.update("jax_cpu_enable_async_dispatch", False)  # else the interpreter's callbacks may block each other
tpu_info.registry["cpu"] = lambda: tpu_info.get_tpu_info_for_chip(tpu_info.ChipVersion.TPU_V5E, 1)
answer(f"JAX {jax.__version__}'s interpreter for TPU kernels, pltpu.InterpretParams(), on the CPU", {"prepare": prepare, "run": run})
