# SPDX-License-Identifier: Apache-2.0
"""Cases that must not pass: the harness itself, held against broken twins of a right case."""
import dataclasses

import numpy as np
from harness import Case, numbers
from jax.experimental.pallas.ops.tpu import example_kernel
from jax.experimental.pallas.ops.tpu import matmul as tpu_matmul


def one_element_off(x):
  right = x * 2
  right[3, 77] += np.float32(1e-4)
  return right


def cases():
  right = Case("twins/right", example_kernel.double, lambda x: x * 2, (numbers(8, 128, seed=1),), 1e-6)
  yield right
  broken = lambda name, **changes: dataclasses.replace(right, name=f"twins/{name}", **changes)
  yield broken("one_element_off", reference=one_element_off, expects="wrong")
  yield broken("another_shape", reference=lambda x: x[:-1] * 2, expects="wrong")
  yield broken("another_dtype", reference=lambda x: (x * 2).astype(np.float16), expects="wrong")
  yield broken("no_number", reference=lambda x: np.full_like(x, np.nan), expects="wrong")
  yield broken("a_kernel_too_few", kernels=2, expects="failed")
  yield broken("no_kernel_at_all", fn=lambda x: x * 2, expects="failed")
  bytes_by_bytes = lambda x, y: tpu_matmul.matmul(x, y, block_shape=(64, 128), block_k=128, out_dtype=np.int32)
  unsigned = (np.ones((64, 128), np.uint8), np.ones((128, 128), np.uint8))
  yield broken("jax_refuses", fn=bytes_by_bytes, args=unsigned, expects="skipped")
