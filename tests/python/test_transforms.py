# SPDX-License-Identifier: Apache-2.0
"""Kernels under JAX's transformations, each against numpy."""
import functools
import inspect

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import millrace.jax


def axpy_kernel(x_ref, y_ref, out_ref):
  out_ref[...] = 2 * x_ref[...] + y_ref[...]


BLOCK = pl.BlockSpec((8, 128), lambda i, j: (i, j))


def axpy(x, y, **options):
  grid = (x.shape[0] // 8, x.shape[1] // 128)
  return pl.pallas_call(axpy_kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=grid,
                        in_specs=[BLOCK, BLOCK], out_specs=BLOCK, **options)(x, y)


def add_one(x_ref, out_ref):
  out_ref[...] = x_ref[...] + 1


def plus_one(x, **options):
  return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), **options)(x)


X = np.arange(16 * 256, dtype=np.float32).reshape(16, 256) / 128
Y = np.full_like(X, 0.25)

# A function of jax arrays, and what it is in numpy.
CASES = {
    "eager": (lambda: axpy(X, Y), lambda: 2 * X + Y),
    "jit": (lambda: jax.jit(axpy)(X, Y), lambda: 2 * X + Y),
    "interpret_params": (lambda: axpy(X, Y, interpret=pltpu.InterpretParams(detect_races=True)), lambda: 2 * X + Y),
    "params": (lambda: axpy(X, Y, interpret=millrace.Params(schedule="lazy", check="races")), lambda: 2 * X + Y),
    "jvp": (lambda: jax.jvp(axpy, (X, Y), (Y, X))[1], lambda: 2 * Y + X),
    "vmap": (lambda: jax.vmap(axpy)(np.stack([X, Y]), np.stack([Y, X])), lambda: np.stack([2 * X + Y, 2 * Y + X])),
    "scan": (lambda: lax.scan(lambda c, _: (plus_one(c), None), X, None, length=5)[0], lambda: X + 5),
    "fori_loop": (lambda: jax.jit(lambda a: lax.fori_loop(0, 4, lambda i, c: plus_one(c), a))(X), lambda: X + 4),
    "cond": (lambda: jax.jit(lambda p, a: lax.cond(p, plus_one, lambda v: v, a))(True, X), lambda: X + 1),
    "remat": (lambda: jax.jit(jax.checkpoint(plus_one))(X), lambda: X + 1),
}


@pytest.mark.parametrize("name", CASES)
def test_a_kernel_gives_what_numpy_gives(name):
  got, want = CASES[name]
  np.testing.assert_allclose(got(), want(), rtol=1e-6)
  report = millrace.jax.report()
  assert report.calls and list(report) == []


def test_a_gradient_goes_through_custom_vjp():
  @jax.custom_vjp
  def double(x):
    return axpy(x, jnp.zeros_like(x))

  double.defvjp(lambda x: (double(x), None), lambda _, g: (axpy(g, jnp.zeros_like(g)),))
  np.testing.assert_array_equal(jax.grad(lambda x: double(x).sum())(X), np.full_like(X, 2))
  assert len(millrace.jax.report().calls) == 2


@pytest.mark.parametrize("donate", [False, True])
def test_an_input_may_be_the_output(donate):
  f = jax.jit(functools.partial(plus_one, input_output_aliases={0: 0}), donate_argnums=0 if donate else ())
  x = jnp.asarray(X) + 0
  np.testing.assert_array_equal(f(x), X + 1)
  if not donate:
    np.testing.assert_array_equal(x, X)


def test_scalars_choose_the_blocks():
  def gather(order_ref, x_ref, out_ref):
    out_ref[...] = x_ref[...]

  spec = pltpu.PrefetchScalarGridSpec(
      num_scalar_prefetch=1, grid=(2,), in_specs=[pl.BlockSpec((8, 256), lambda i, order: (order[i], 0))],
      out_specs=pl.BlockSpec((8, 256), lambda i, order: (i, 0)))
  call = pl.pallas_call(gather, grid_spec=spec, out_shape=jax.ShapeDtypeStruct(X.shape, X.dtype))
  np.testing.assert_array_equal(call(jnp.array([1, 0], jnp.int32), X), np.concatenate([X[8:], X[:8]]))


@pytest.mark.parametrize("steps", [1, 2])
def test_the_grid_may_depend_on_data(steps):
  def call(n, x):
    block = pl.BlockSpec((8, 256), lambda i: (i, 0))
    return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), grid=(n,), in_specs=[block],
                          out_specs=block, input_output_aliases={0: 0})(x)

  want = X.copy()
  want[:8 * steps] += 1
  np.testing.assert_array_equal(jax.jit(call)(jnp.int32(steps), X), want)


@pytest.mark.parametrize("dtype", ["bfloat16", "int32", "int8", "uint8", "float32"])
def test_element_types_arrive_whole(dtype):
  x = jnp.arange(32 * 128).reshape(32, 128).astype(dtype)

  def copy(x_ref, out_ref):
    out_ref[...] = x_ref[...]

  np.testing.assert_array_equal(pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x), x)


def test_bools_go_in_and_out():
  def negate(x_ref, out_ref):
    out_ref[...] = jnp.logical_not(x_ref[...])

  x = (jnp.arange(8 * 128) % 3 == 0).reshape(8, 128)
  got = pl.pallas_call(negate, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
  np.testing.assert_array_equal(got, ~np.asarray(x))


def test_a_kernel_over_a_mesh_of_cores():
  mesh = pltpu.create_tensorcore_mesh("core")  # as many as the simulated chip's: 1

  @jax.jit
  def f(x):
    y = jnp.zeros_like(x)

    def inner(refs):
      x_ref, y_ref = refs

      @pl.core_map(mesh)
      def _():
        pltpu.sync_copy(x_ref, y_ref)

    _, y = pl.run_state(inner)((x, y))
    return y

  np.testing.assert_array_equal(f(X), X)
  assert millrace.jax.report().calls[0].runs == 1


def test_what_jax_refuses_for_a_tpu_it_refuses_here():
  with pytest.raises(Exception, match="divisible by 8"):
    block = pl.BlockSpec((2, 4), lambda i, j: (i, j))
    plus_one(jnp.zeros((4, 8)), grid=(2, 2), in_specs=[block], out_specs=block)


def test_four_bit_integers_go_in_and_out():
  def copy(x_ref, out_ref):
    out_ref[...] = x_ref[...]

  x = (jnp.arange(64 * 128) % 16 - 8).reshape(64, 128).astype(jnp.int4)
  got = pl.pallas_call(copy, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)
  np.testing.assert_array_equal(got.astype(jnp.int32), x.astype(jnp.int32))


def test_pl_kernel():
  mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)
  out = jax.ShapeDtypeStruct(X.shape, X.dtype)
  key = "out_type" if "out_type" in inspect.signature(pl.kernel).parameters else "out_shape"

  @functools.partial(pl.kernel, mesh=mesh, **{key: out})
  def copy(x_hbm, out_hbm):
    pltpu.sync_copy(x_hbm, out_hbm)

  np.testing.assert_array_equal(copy(X), X)
  assert millrace.jax.report().calls[0].runs == 1


def test_many_calls_of_one_kernel_are_one_module():
  f = jax.jit(lambda x: plus_one(plus_one(plus_one(x))))
  for _ in range(2):
    np.testing.assert_array_equal(f(X), X + 3)
  assert sum(c.runs for c in millrace.jax.report().calls) == 6
