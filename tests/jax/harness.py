# SPDX-License-Identifier: Apache-2.0
"""A case: a function whose kernels run in Millrace, a reference without Pallas, and how close they must be."""
import contextlib
import dataclasses
import time
from typing import Callable

import door
import jax
import ml_dtypes
import numpy as np


@dataclasses.dataclass
class Case:
  name: str
  fn: Callable
  reference: Callable
  args: tuple
  tolerance: float  # of the largest value of each result; 0: the same numbers
  precision: str | None = None  # jax.default_matmul_precision while the kernel is traced
  kernels: int = 1  # how many kernel runs are expected
  expects: str = "ok"  # or another state; or a finding that Millrace is to stop at


@dataclasses.dataclass
class Outcome:
  name: str
  state: str  # "ok", "wrong", "failed", "skipped", or the finding that Millrace stopped at
  line: str
  seconds: float = 0.0


def numbers(*shape, seed=0, dtype=np.float32, scale=1.0):
  values = np.random.default_rng([seed, *shape]).standard_normal(shape, dtype=np.float32) * np.float32(scale)
  return values.astype(dtype)


def integers(*shape, seed=0, low=-128, high=128, dtype=np.int8):
  return np.random.default_rng([seed, *shape]).integers(low, high, shape).astype(dtype)


def as_bf16(x):
  """Rounded as the matrix unit rounds the operands of an f32 product with no precision."""
  return np.asarray(x).astype(ml_dtypes.bfloat16).astype(np.float64)


def distance(got, want):
  """The largest difference, relative to the largest value (absolute below 1)."""
  got, want = np.asarray(got), np.asarray(want)
  if got.shape != want.shape or got.dtype != want.dtype:
    raise ValueError(f"{got.dtype}{list(got.shape)} is due to be {want.dtype}{list(want.shape)}")
  if got.size == 0:
    return 0.0
  got, want = got.astype(np.float64), want.astype(np.float64)
  if not np.isfinite(want).all():
    raise ValueError("the reference is not finite")
  if not np.isfinite(got).all():
    return float("inf")
  return float(np.abs(got - want).max() / max(1.0, np.abs(want).max()))


def outcome_of(case):
  """As it came; ok where another outcome was due and came."""
  outcome = plain_outcome(case)
  if case.expects == "ok":
    return outcome
  if outcome.state == case.expects:
    return dataclasses.replace(outcome, state="ok", line=f"{outcome.state}, as is due: {outcome.line}")
  line = f"{case.expects} is due, but {outcome.state}: {outcome.line}"
  return dataclasses.replace(outcome, state="failed", line=line)


def plain_outcome(case):
  began = time.monotonic()
  done = lambda state, line: Outcome(case.name, state, line, time.monotonic() - began)
  door.stats = door.Stats()
  precision = jax.default_matmul_precision(case.precision) if case.precision else contextlib.nullcontext()
  try:
    with precision:
      got = jax.tree.leaves(jax.block_until_ready(case.fn(*case.args)))
  except Exception as error:
    failure = door.stats.failure
    if failure:
      return done(failure.finding() or "failed", str(failure))
    refused = error
    while refused and not isinstance(refused, door.Refused):
      refused = refused.__cause__ or refused.__context__
    if refused:
      return done("skipped", f"JAX refuses to lower it: {refused}")
    return done("failed", f"{type(error).__name__}: {error}")
  if door.stats.kernels != case.kernels:
    return done("failed", f"{door.stats.kernels} kernels ran, {case.kernels} are due")
  want = jax.tree.leaves(case.reference(*case.args))
  try:
    distances = [distance(g, w) for g, w in zip(got, want, strict=True)]
  except ValueError as error:
    return done("wrong", str(error))
  worst = max(distances)
  off = "the same numbers" if worst == 0 else f"off by {worst:.1e}"
  line = f"{case.kernels} kernel{'s' * (case.kernels != 1)}, {off}, allowed {case.tolerance:.0e}"
  return done("ok" if worst <= case.tolerance else "wrong", line)
