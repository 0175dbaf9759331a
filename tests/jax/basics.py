# SPDX-License-Identifier: Apache-2.0
"""example_kernel, matmul and the random bits of jax.experimental.pallas.ops.tpu."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from harness import Case, as_bf16, integers, numbers
from jax._src import prng
from jax.experimental.pallas.ops.tpu import example_kernel
from jax.experimental.pallas.ops.tpu import matmul as tpu_matmul
from jax.experimental.pallas.ops.tpu.random import philox, threefry

BF16 = ml_dtypes.bfloat16


def double_cases():
  for dtype in (np.float32, np.int32, BF16, np.float16, np.int8, np.int16, np.uint8, np.uint32):
    for shape in ((8, 128), (5, 131), (300,)):
      x = numbers(*shape, scale=20).astype(dtype)
      name = f"double/{np.dtype(dtype).name}_{'x'.join(map(str, shape))}"
      yield Case(name, example_kernel.double, lambda x: (x * np.asarray(2, x.dtype)), (x,), 0)


def product(x, y, out, rounded):
  wide = as_bf16 if rounded else (lambda a: np.asarray(a).astype(np.float64))
  return (wide(x) @ wide(y)).astype(out)


def matmul_case(name, m, k, n, blocks, dtype, tolerance, precision=None, out=None, make=numbers):
  x, y = make(m, k, seed=1, dtype=dtype), make(k, n, seed=2, dtype=dtype)
  bm, bk, bn = blocks
  fn = functools.partial(tpu_matmul.matmul, block_shape=(bm, bn), block_k=bk, out_dtype=out)
  rounded = precision is None and dtype == np.float32
  reference = functools.partial(product, out=out or dtype, rounded=rounded)
  return Case(f"matmul/{name}", fn, reference, (x, y), tolerance, precision)


def matmul_cases():
  f32 = np.float32
  yield matmul_case("f32_default", 256, 512, 384, (128, 256, 128), f32, 1e-6)
  yield matmul_case("f32_highest", 256, 512, 384, (128, 256, 128), f32, 1e-6, "highest")
  yield matmul_case("f32_tall", 1024, 128, 128, (8, 128, 128), f32, 1e-6, "highest")
  yield matmul_case("f32_blocks_that_are_the_array", 24, 40, 200, (24, 40, 200), f32, 1e-6, "highest")
  yield matmul_case("bf16", 256, 256, 256, (128, 128, 256), BF16, 8e-3)
  yield matmul_case("bf16_to_f32", 64, 256, 128, (16, 256, 128), BF16, 1e-6, out=f32)
  yield matmul_case("f16_to_f32", 64, 256, 128, (16, 256, 128), np.float16, 1e-6, out=f32)
  for dtype in (np.int8, np.uint8):
    low, high = (-128, 128) if dtype == np.int8 else (0, 256)
    make = functools.partial(integers, low=low, high=high)
    yield matmul_case(f"{np.dtype(dtype).name}_to_i32", 64, 256, 128, (32, 128, 128), dtype, 0, out=np.int32, make=make)
  make = functools.partial(integers, low=-8, high=8)
  yield matmul_case("int4_to_i32", 64, 256, 128, (64, 128, 128), ml_dtypes.int4, 0, out=np.int32, make=make)


KEY = np.array([0x12345678, 0x9ABCDEF0], np.uint32)


def threefry_bits(shape):
  size = int(np.prod(shape))
  lo = np.arange(size, dtype=np.uint32).reshape(shape)
  a, b = prng.threefry2x32_p.bind(KEY[0], KEY[1], jnp.zeros_like(lo), jnp.asarray(lo))
  return a ^ b


def philox_bits(shape, offset=0, fuse=True):
  """Salmon et al., Philox 4x32-10, of the counters (0, n, 0, 0); in Python's own integers."""
  n = (np.arange(int(np.prod(shape)), dtype=np.uint64) + np.uint64(offset)) & np.uint64(0xFFFFFFFF)
  low = np.uint64(0xFFFFFFFF)
  c = [np.zeros_like(n), n, np.zeros_like(n), np.zeros_like(n)]
  k = [int(KEY[0]), int(KEY[1])]
  for _ in range(10):
    p, q = c[2] * np.uint64(0xCD9E8D57), c[0] * np.uint64(0xD2511F53)
    c = [(p >> np.uint64(32)) ^ c[1] ^ np.uint64(k[0]), p & low, (q >> np.uint64(32)) ^ c[3] ^ np.uint64(k[1]), q & low]
    k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
  words = [w.astype(np.uint32).reshape(shape) for w in c[:2]]
  return words[0] ^ words[1] if fuse else np.stack(words)


def random_cases():
  for shape in ((256, 256), (2, 256, 256), (7, 300), (1000,), ()):
    said = "x".join(map(str, shape)) or "scalar"
    bits = lambda key, shape=shape: threefry.plthreefry_random_bits(key, 32, shape)
    yield Case(f"threefry/{said}", bits, lambda key, shape=shape: threefry_bits(shape), (KEY,), 0)
  for shape in ((256, 256), (3, 256, 256), (100, 130), (77,)):
    said = "x".join(map(str, shape))
    bits = lambda key, shape=shape: philox.philox_random_bits(key, 32, shape)
    yield Case(f"philox/{said}", bits, lambda key, shape=shape: philox_bits(shape), (KEY,), 0)
  count = lambda key: philox.philox_4x32_count(key, (256, 256), offset=4_000_000_000, fuse_output=False)
  yield Case("philox/both_words_offset", count, lambda key: philox_bits((256, 256), 4_000_000_000, False), (KEY,), 0)


def cases():
  yield from double_cases()
  yield from matmul_cases()
  yield from random_cases()
