# SPDX-License-Identifier: Apache-2.0
"""The JAX door against JAX's own TPU interpreter, as src/bench/door.h asks: what a call costs beside its kernel, the 512
steps of a pipelined axpy with races looked for, a script from its start to its end. Both sides in turn, in one process.
Nothing here is a measurement of a TPU.

  hello WHO IT IS, first; then
  rows                     their names
  measure NAME             that row, a line of JSON
  whatever goes wrong:     error SENTENCE
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

from answering import answer

os.environ["JAX_PLATFORMS"] = "cpu"

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tests/python/scripts/lesson.py"
sys.path.insert(0, str(SCRIPT.parent))

INTERPRETER = "JAX's interpreter for TPU kernels, with its race detector"


def seconds(work):
  """Wall clock or the processor time of all threads, whichever is less: nobody is to blame for a busy machine."""
  wall, cpu = time.perf_counter(), time.process_time()
  work()
  return min(time.perf_counter() - wall, time.process_time() - cpu)


def axpy_of(rows, columns):
  import jax
  import jax.numpy as jnp
  import lesson

  x = jnp.linspace(-1, 1, rows * columns, dtype=jnp.float32).reshape(rows, columns)
  return jax, lambda: lesson.axpy(x, x), jax.jit(lambda x: lesson.axpy(x, x)), x


def eager(rows, columns):
  """A call as Python makes it: JAX looks at the function, the kernel and its blocks each time."""
  jax, call, _, _ = axpy_of(rows, columns)
  return lambda: jax.block_until_ready(call())


def compiled(rows, columns):
  jax, _, jitted, x = axpy_of(rows, columns)
  ready = jitted.lower(x).compile()
  return lambda: jax.block_until_ready(ready(x))


class Sides:
  """The same call through the door and through the interpreter."""

  def __init__(self, make, **options):
    import millrace.jax

    self.jax = millrace.jax
    self.options = options
    self.install()
    self.door = make()
    self.door()
    self.uninstall()
    self.interpreter = make()

  def install(self):
    self.jax.install(**self.options)

  def uninstall(self):
    from jax._src.pallas.mosaic import tpu_info

    self.jax.uninstall()
    tpu_info.registry["cpu"] = lambda: tpu_info.get_tpu_info_for_chip(tpu_info.ChipVersion.TPU_V5E, 1)

  def by_turns(self, pairs, runs):
    """Milliseconds of both, pair by pair; `runs` of the door in a row, warm, their mean."""
    door, interpreter = [], []
    for _ in range(pairs):
      self.install()
      self.door()
      door.append(1e3 * seconds(lambda: [self.door() for _ in range(runs)]) / runs)
      self.uninstall()
      interpreter.append(1e3 * seconds(self.interpreter))
    return door, interpreter


def row(candidate, baseline, unit, work, times, aim=0.0, warm_ups=1):
  return {"candidate": candidate, "baseline": baseline, "unit": unit, "work": work, "warm_ups": warm_ups, "aim": aim,
          "candidate_ms": times[0], "baseline_ms": times[1]}


def eager_call():
  return row("an eager call of an axpy of 1 step, traced and lowered anew, 2 in a row", INTERPRETER, "call", 1,
             Sides(lambda: eager(8, 128)).by_turns(3, 2))


def jitted_call():
  return row("a compiled call of an axpy of 1 step, checked, 50 in a row", INTERPRETER, "call", 1,
             Sides(lambda: compiled(8, 128)).by_turns(5, 50))


def unchecked_call():
  return row("the same, unchecked", INTERPRETER, "call", 1,
             Sides(lambda: compiled(8, 128), check="none").by_turns(5, 50))


def axpy_512():
  return row("a compiled call of an axpy of 512 steps, checked, 10 in a row", INTERPRETER, "grid step", 512,
             Sides(lambda: compiled(256, 2048)).by_turns(1, 10), aim=1 / 1000)


def of_script(*before):
  """Processor milliseconds of the script, run once."""
  spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
  began = spent()
  subprocess.run([sys.executable, *before, SCRIPT], check=True, capture_output=True)
  return 1e3 * (spent() - began)


def script():
  pairs = [(of_script("-m", "millrace"), of_script()) for _ in range(2)]
  return row("a script of 2 kernels and 8 calls, from its start to its end", "the same under " + INTERPRETER, "script",
             1, list(zip(*pairs)), warm_ups=0)


ROWS = {"eager-call": eager_call, "jit-call": jitted_call, "jit-call-unchecked": unchecked_call, "axpy-512": axpy_512,
        "script": script}


import jax

jax.config.update("jax_cpu_enable_async_dispatch", False)  # else the interpreter's callbacks may block each other
answer(f"the door of JAX {jax.__version__}", {"rows": lambda: " ".join(ROWS), "measure": lambda name: json.dumps(ROWS[name]())})
