# SPDX-License-Identifier: Apache-2.0
"""megablox: products of groups of rows, forward, transposed and backward."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from harness import Case, as_bf16, numbers
from jax.experimental.pallas.ops.tpu.megablox import ops

megablox = ops.backend  # the package hides this module behind the function of its name
BF16 = ml_dtypes.bfloat16


def wide(x, rounded):
  return as_bf16(x) if rounded else np.asarray(x).astype(np.float64)


def bounds(sizes):
  return np.concatenate([[0], np.cumsum(sizes)])


def gmm(lhs, rhs, sizes, out, transpose_rhs, rounded, first=0, base=None):
  """Groups first, first + 1, ... by rhs; the rows of the others stay as in `base`, or are zero."""
  shape = (lhs.shape[0], rhs.shape[1 if transpose_rhs else 2])
  result = np.zeros(shape, np.float64) if base is None else np.array(base)
  edges = bounds(sizes)
  for g, side in enumerate(rhs, first):
    rows = slice(edges[g], edges[g + 1])
    result[rows] = wide(lhs[rows], rounded) @ wide(side.T if transpose_rhs else side, rounded)
  return result.astype(out)


def tgmm(lhs, rhs, sizes, out, rounded):
  edges = bounds(sizes)
  parts = [slice(edges[g], edges[g + 1]) for g in range(len(sizes))]
  return np.stack([wide(lhs[:, p], rounded) @ wide(rhs[p], rounded) for p in parts]).astype(out)


def gmm_case(name, m, k, n, sizes, tiling, dtype, tolerance, precision=None, out=np.float32, transpose_rhs=False):
  sizes = np.array(sizes, np.int32)
  assert sizes.sum() == m
  lhs = numbers(m, k, seed=1, dtype=dtype)
  rhs = numbers(len(sizes), *((n, k) if transpose_rhs else (k, n)), seed=2, dtype=dtype)
  fn = functools.partial(megablox.gmm, preferred_element_type=out, tiling=tiling, transpose_rhs=transpose_rhs)
  rounded = precision is None and dtype == np.float32
  reference = functools.partial(gmm, out=out, transpose_rhs=transpose_rhs, rounded=rounded)
  return Case(f"gmm/{name}", fn, reference, (lhs, rhs, sizes), tolerance, precision)


def tgmm_case(name, k, m, n, sizes, tiling, dtype, tolerance, precision=None, out=np.float32):
  sizes = np.array(sizes, np.int32)
  assert sizes.sum() == m
  lhs, rhs = numbers(k, m, seed=3, dtype=dtype), numbers(m, n, seed=4, dtype=dtype)
  fn = functools.partial(megablox.tgmm, preferred_element_type=out, tiling=tiling)
  reference = functools.partial(tgmm, out=out, rounded=precision is None and dtype == np.float32)
  return Case(f"tgmm/{name}", fn, reference, (lhs, rhs, sizes), tolerance, precision)


def share_of_groups(existing):
  """Groups 1 and 2 of 4, as one device of several has them; also added to what other devices have made."""
  sizes = np.array([30, 50, 100, 76], np.int32)
  lhs, rhs = numbers(256, 128, seed=8), numbers(2, 128, 256, seed=9)
  base = numbers(256, 256, seed=7) if existing else None
  offset = lambda: jnp.asarray(1, jnp.int32)
  fn = lambda l, r, s, b: megablox.gmm(l, r, s, np.float32, (64, 128, 128), offset(), existing_out=b)
  reference = lambda l, r, s, b: gmm(l, r, s, np.float32, False, False, 1, b)
  name = "gmm/into_existing" if existing else "gmm/group_offset"
  args = (lhs, rhs, sizes, None if base is None else jnp.asarray(base))
  return Case(name, fn, reference, args, 1e-6, "highest")


def backward():
  sizes = np.array([100, 28, 0, 128], np.int32)
  lhs, rhs, grad = numbers(256, 128, seed=10), numbers(4, 128, 256, seed=11), numbers(256, 256, seed=12)

  def fn(l, r, g):
    call = lambda l, r: ops.gmm(l, r, jnp.asarray(sizes), np.float32, (64, 128, 128))
    out, pull = jax.vjp(call, l, r)
    return (out, *pull(g))

  def reference(l, r, g):
    out = gmm(l, r, sizes, np.float32, False, False)
    to_lhs = gmm(g, r, sizes, np.float32, True, False)
    return out, to_lhs, tgmm(l.T, g, sizes, np.float32, False)

  return Case("gmm/backward", fn, reference, (lhs, rhs, grad), 1e-6, "highest", kernels=3)


def cases():
  f32 = np.float32
  yield gmm_case("f32", 256, 256, 256, [100, 28, 128], (128, 128, 128), f32, 1e-6, "highest")
  yield gmm_case("f32_default", 256, 256, 128, [100, 28, 128], (128, 128, 128), f32, 1e-6)
  yield gmm_case("ragged_k_and_n", 128, 200, 300, [60, 68], (64, 128, 128), f32, 1e-6, "highest")
  yield gmm_case("many_small_groups", 256, 128, 128, [1, 2, 0, 3, 250, 0, 0], (32, 128, 128), f32, 1e-6, "highest")
  yield gmm_case("transposed_rhs", 128, 128, 256, [5, 123], (64, 128, 128), f32, 1e-6, "highest", transpose_rhs=True)
  yield gmm_case("bf16", 256, 128, 256, [1, 200, 55], (64, 128, 128), BF16, 8e-3, out=BF16)
  yield gmm_case("bf16_to_f32", 256, 128, 256, [1, 200, 55], (64, 128, 256), BF16, 1e-6)
  yield share_of_groups(existing=False)
  yield share_of_groups(existing=True)
  yield backward()
  yield tgmm_case("f32", 128, 256, 256, [100, 28, 128], (64, 128, 128), f32, 1e-6, "highest")
  yield tgmm_case("ragged_k_and_n", 200, 128, 300, [60, 68], (64, 128, 128), f32, 1e-6, "highest")
  yield tgmm_case("empty_groups", 128, 256, 128, [0, 3, 0, 253, 0], (32, 128, 128), f32, 1e-6, "highest")
  yield tgmm_case("bf16", 128, 256, 128, [9, 247], (64, 128, 128), BF16, 8e-3, out=BF16)
