# SPDX-License-Identifier: Apache-2.0
"""Whole functions through jax.export: the kernels that a StableHLO text holds, as it is and converted."""
import functools
import pathlib
import subprocess
import tempfile

import door
import jax
import numpy as np
from attention import sizes
from harness import Case, as_bf16, numbers
from jax.experimental.pallas.ops.tpu import flash_attention as flash
from jax.experimental.pallas.ops.tpu import matmul as tpu_matmul

FORMS = {
    "text": (),
    "bytecode_stable_names": ("--form", "bytecode", "--names", "stable"),
    "text_plain": ("--form", "text"),
}


def text_of(fn, *args):
  return jax.export.export(jax.jit(fn), platforms=["tpu"])(*args).mlir_module()


def said(*command):
  done = subprocess.run([door.MILLRACE, *map(str, command)], capture_output=True, text=True)
  if done.returncode != 0:
    raise RuntimeError(done.stderr.strip())
  return done.stdout


def product(x, y):
  return tpu_matmul.matmul(x, y, block_shape=(64, 128), block_k=128)


def run_exported(x, y, form):
  """The only kernel of the exported function, on the function's own arguments."""
  door.stats.kernels += 1
  text, aval = text_of(product, x, y), jax.eval_shape(product, x, y)
  if form == "text":
    return door.run_text(text, (x, y), [aval])
  with tempfile.TemporaryDirectory(prefix="millrace-jax-") as folder:
    folder = pathlib.Path(folder)
    (folder / "whole.mlir").write_text(text)
    said("convert", folder / "whole.mlir", folder / "kernel", *FORMS[form])
    return door.run_module(folder / "kernel", (x, y), [aval])


def kernel_names(q, k, v):
  """inspect, kernel by kernel, over attention with its gradient."""
  attend = functools.partial(flash.flash_attention, causal=True, block_sizes=sizes())
  text = text_of(jax.grad(lambda q, k, v: attend(q, k, v).sum(), argnums=(0, 1, 2)), q, k, v)
  calls = text.count("@tpu_custom_call")
  with tempfile.TemporaryDirectory(prefix="millrace-jax-") as folder:
    whole = pathlib.Path(folder, "whole.mlir")
    whole.write_text(text)
    for i in range(calls):
      door.stats.kernels += 1
      if "grid" not in said("inspect", whole, "--kernel", i):
        raise RuntimeError(f"inspect does not say the grid of kernel {i}")
  return np.int32(calls)


def cases():
  x, y = numbers(128, 256, seed=1), numbers(256, 128, seed=2)
  right = lambda x, y: (as_bf16(x) @ as_bf16(y)).astype(np.float32)
  for form in FORMS:
    yield Case(f"export/matmul_{form}", functools.partial(run_exported, form=form), right, (x, y), 1e-6)
  heads = tuple(numbers(1, 1, 128, 128, seed=s) for s in range(3))
  yield Case("export/flash_backward", kernel_names, lambda q, k, v: np.int32(3), heads, 0, kernels=3)
