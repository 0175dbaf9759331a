# SPDX-License-Identifier: Apache-2.0
"""Kernels on a mesh of eight CPU devices: each for itself, or together where they speak with each other."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

import millrace.jax
from millrace import _library

N = 8
ANY = pl.BlockSpec(memory_space=pl.ANY)
X = np.arange(8 * N * 128, dtype=np.float32).reshape(8 * N, 128)


def sharded(f, mesh=None):
  mesh = mesh or Mesh(np.array(jax.devices()), ("d",))
  return jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("d"), out_specs=P("d"), check_vma=False))


def add_one(x_ref, out_ref):
  out_ref[...] = x_ref[...] + 1


def plus_one(x):
  return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)


def ring(x, faulty=False, fail_on=None):
  """Each device's block to its right neighbour."""

  def kernel(x_hbm, out_hbm, sent, arrived):
    me = lax.axis_index("d")
    right = lax.rem(me + 1, N)
    ready = pltpu.get_barrier_semaphore()
    pl.semaphore_signal(ready, 1, device_id={"d": lax.rem(me + N - 1, N)}, device_id_type=pl.DeviceIdType.MESH)
    if not faulty:
      pl.semaphore_wait(ready, 1)
    copy = pltpu.make_async_remote_copy(x_hbm, out_hbm, sent, arrived, device_id={"d": right},
                                        device_id_type=pl.DeviceIdType.MESH)
    copy.start()
    copy.wait()

  return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), in_specs=[ANY], out_specs=ANY,
                        scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
                        compiler_params=pltpu.CompilerParams(collective_id=7))(x)


def test_devices_that_do_not_speak_run_each_for_itself():
  np.testing.assert_array_equal(sharded(plus_one)(X), X + 1)
  (call,) = millrace.jax.report().calls
  assert (call.runs, call.devices) == (N, N)


def test_a_ring_passes_every_block_on():
  np.testing.assert_array_equal(sharded(ring)(X), np.roll(X, 8, 0))
  (call,) = millrace.jax.report().calls
  assert (call.runs, call.devices) == (1, N)
  assert list(call.findings) == []


def test_the_number_of_a_device_is_its_place_in_the_mesh():
  mesh = Mesh(np.array(jax.devices()[::-1]), ("d",))
  np.testing.assert_array_equal(sharded(ring, mesh)(X), np.roll(X, 8, 0))

  def tell(x):
    def kernel(x_ref, out_ref):
      out_ref[...] = jnp.full((8, 128), lax.axis_index("d"), jnp.float32)

    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)

  np.testing.assert_array_equal(np.asarray(sharded(tell, mesh)(X))[::8, 0], np.arange(N))


def test_rings_in_a_loop_meet_anew_each_time():
  def many(x):
    return lax.fori_loop(0, 3, lambda i, c: ring(c), x) + ring(x)

  f = sharded(many)
  for _ in range(2):
    np.testing.assert_array_equal(f(X), np.roll(X, 24, 0) + np.roll(X, 8, 0))
  assert sum(c.runs for c in millrace.jax.report().calls) == 8


def test_two_axes():
  mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("a", "b"))
  f = jax.jit(jax.shard_map(plus_one, mesh=mesh, in_specs=P(("a", "b")), out_specs=P(("a", "b")), check_vma=False))
  np.testing.assert_array_equal(f(X), X + 1)


def test_a_barrier_that_nobody_awaits_is_found_and_the_next_ring_is_right():
  report = millrace.check(sharded(functools.partial(ring, faulty=True)), X)
  assert "leftover.semaphore" in report.ids
  np.testing.assert_array_equal(sharded(ring)(X), np.roll(X, 8, 0))


def test_a_device_that_does_not_come_is_named():
  def some(x):
    return lax.cond(lax.axis_index("d") == 5, lambda v: v, ring, x)

  _library.configure(meeting_seconds=1)
  try:
    with pytest.raises(Exception, match=r"7 of 8 devices came to this kernel within 1 s; missing: 5"):
      jax.block_until_ready(sharded(some)(X))
  finally:
    _library.configure(meeting_seconds=300)


def test_a_kernel_cannot_be_partitioned_by_xla():
  mesh = Mesh(np.array(jax.devices()), ("d",))
  x = jax.device_put(X, NamedSharding(mesh, P("d")))
  with pytest.raises(NotImplementedError, match="wrap the call in a shard_map"):
    jax.jit(plus_one)(x)
