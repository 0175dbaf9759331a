# SPDX-License-Identifier: Apache-2.0
"""Runs the Pallas kernels of a JAX program in Millrace.

install() gives pallas_call a rule for the CPU: the call is lowered by JAX's own rules for the TPU, on its own, and the
StableHLO text that comes out goes to `millrace run`, with the call's operands as .npy files. What surrounds the kernels
runs on the CPU as ever.
"""
import dataclasses
import os
import pathlib
import subprocess
import tempfile

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TPU_SKIP_MDS_QUERY", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # else XLA tells of every constant that takes it a second

import jax
import ml_dtypes
import numpy as np
from jax._src import callback as jax_callback
from jax._src.interpreters import mlir
from jax._src.pallas import pallas_call as pallas
from jax._src.pallas.mosaic import tpu_info

CHIP = tpu_info.ChipVersion.TPU_V5E
ROOT = pathlib.Path(__file__).resolve().parents[2]
MILLRACE = os.environ.get("MILLRACE", str(ROOT / "build/bin/millrace"))


class Refused(Exception):
  """JAX does not lower this program for the TPU."""


@dataclasses.dataclass
class Failure(Exception):
  """Millrace did not run a kernel."""

  code: int
  said: str
  text: str  # the StableHLO text of the call

  def finding(self):
    """The id of the finding that the run ended with, or None."""
    return self.said.removeprefix("millrace: ").partition(":")[0] if self.code == 1 else None

  def __str__(self):
    return f"millrace exit {self.code}: {self.said}"


@dataclasses.dataclass
class Stats:
  kernels: int = 0
  texts: list = dataclasses.field(default_factory=list)
  failure: Failure | None = None  # an exception cannot pass XLA whole, so it waits here


stats = Stats()


def lowered(fn, *args):
  """The StableHLO text of fn(*args) for the TPU, as JAX lowers it on a machine without one."""
  try:
    return jax.jit(fn).trace(*args).lower(lowering_platforms=("tpu",)).as_text()
  except Exception as error:
    raise Refused(f"{type(error).__name__}: {str(error).strip().splitlines()[0]}") from error


def to_file(array):
  """As a kernel takes it: bf16 as u16, bools as i32, four-bit integers a byte each."""
  array = np.asarray(array)
  if array.dtype == np.bool_:
    return array.astype(np.int32)
  if array.dtype == ml_dtypes.bfloat16:
    return array.view(np.uint16)
  if array.dtype in (ml_dtypes.int4, ml_dtypes.uint4):
    return array.astype(np.int8)
  return array


def from_file(path, aval):
  array = np.load(path)
  if aval.dtype == ml_dtypes.bfloat16:
    return array.view(ml_dtypes.bfloat16)
  return array.astype(aval.dtype) if array.dtype != aval.dtype else array


def run_module(path, operands, results, text=""):
  """The results of the one kernel in this file."""
  with tempfile.TemporaryDirectory(prefix="millrace-jax-") as folder:
    command = [MILLRACE, "run", str(path)]
    for i, operand in enumerate(operands):
      np.save(f"{folder}/in{i}.npy", to_file(operand))
      command += ["--input", f"{folder}/in{i}.npy"]
    for i in range(len(results)):
      command += ["--output", f"{folder}/out{i}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
      raise Failure(done.returncode, done.stderr.strip(), text)
    return [from_file(f"{folder}/out{i}.npy", aval) for i, aval in enumerate(results)]


def run_text(text, operands, results):
  """The results of the one kernel that a StableHLO text calls."""
  with tempfile.NamedTemporaryFile("w", prefix="millrace-jax-", suffix=".mlir") as file:
    file.write(text)
    file.flush()
    return run_module(file.name, operands, results, text)


def in_millrace(ctx, *nodes, interpret, **params):
  if interpret:
    return pallas._pallas_call_lowering(ctx, *nodes, interpret=interpret, **params)
  call = lambda *xs: pallas.pallas_call_p.bind(*xs, interpret=False, **params)
  text = lowered(call, *(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in ctx.avals_in))
  stats.texts.append(text)

  def run(*operands):
    stats.kernels += 1
    try:
      return tuple(run_text(text, operands, ctx.avals_out))
    except Failure as failure:
      stats.failure = stats.failure or failure
      raise

  out, _, keep = jax_callback.emit_python_callback(
      ctx, run, None, list(nodes), list(ctx.avals_in), list(ctx.avals_out), has_side_effect=False)
  ctx.module_context.add_keepalive(keep)
  return out


def install():
  tpu_info.registry["cpu"] = lambda: tpu_info.get_tpu_info_for_chip(CHIP, 1)
  jax.config.update("jax_cpu_enable_async_dispatch", False)
  mlir.register_lowering(pallas.pallas_call_p, in_millrace, platform="cpu", cacheable=False)
