# SPDX-License-Identifier: Apache-2.0
"""The kernels of cpu_rows.h in numpy and in JAX (jax.jit on the CPU), as peer.h asks, on as many threads as this process
may use processors. A name is `numpy:ROW` or `jax:ROW`; `run NAME N` runs it N times in a row and says the mean.

numpy computes elementwise on one thread, whatever it is given; its products take all."""
import os
import time

THREADS = str(len(os.sched_getaffinity(0)))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
  os.environ[name] = THREADS
os.environ["OPENBLAS_THREAD_TIMEOUT"] = "4"  # its threads go to sleep when there is nothing to do
os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import numpy as np
from answering import answer

HIGHEST = jax.lax.Precision.HIGHEST


def softmax(np, x):
  e = np.exp(x - x.max(1, keepdims=True))
  return e / e.sum(1, keepdims=True)


def layernorm(np, x, scale, shift):
  apart = x - x.mean(1, keepdims=True)
  return apart / np.sqrt((apart * apart).mean(1, keepdims=True) + 1e-5) * scale + shift


def product(np, a, b):
  return jnp.dot(a, b, precision=HIGHEST) if np is jnp else a @ b


ROWS = {
    "cpu-axpy": lambda np, x, y: 2 * x + y,
    "cpu-bias-relu": lambda np, x, bias: np.maximum(x + bias, 0),
    "cpu-softmax": softmax,
    "cpu-layernorm": layernorm,
    "cpu-matmul": product,
    "cpu-attention": lambda np, q, k, v: product(np, softmax(np, product(np, q, k.T)), v),
}
ready = {}


def inputs_in(folder):
  inputs = []
  while os.path.exists(file := f"{folder}/in{len(inputs)}.npy"):
    a = np.load(file)
    inputs.append(a.view(jnp.bfloat16) if a.dtype == np.uint16 else a)
  return inputs


def prepare(name, steps, folder):
  who, row = name.split(":")
  compute = next(f for known, f in ROWS.items() if row.startswith(known))
  inputs = inputs_in(folder)
  if who == "jax":
    inputs = [jnp.asarray(a) for a in inputs]
    compiled = jax.jit(lambda *a: compute(jnp, *a)).lower(*inputs).compile()
    call = lambda: jax.block_until_ready(compiled(*inputs))
  else:
    call = lambda: compute(np, *inputs)
  out = np.asarray(call())
  np.save(f"{folder}/out0.npy", out.view(np.uint16) if out.dtype == jnp.bfloat16 else out)
  for known in [n for n in ready if not n.endswith(":" + row)]:
    del ready[known]  # one row at a time: the arrays are large
  ready[name] = call
  return "ready"


def run(name, steps):
  call, runs = ready[name], int(steps)
  before = time.perf_counter()
  for _ in range(runs):
    call()
  return f"{1e3 * (time.perf_counter() - before) / runs:.6f}"


answer(f"numpy {np.__version__} and JAX {jax.__version__}, jax.jit on the CPU, {THREADS} threads", {"prepare": prepare, "run": run})
