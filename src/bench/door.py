# SPDX-License-Identifier: Apache-2.0
"""The JAX door against JAX's own TPU interpreter, on this machine: a script from its start to its end, the 512 steps of
a pipelined axpy with races looked for, and what one call costs beside its kernel. Nothing here is a measurement of a
TPU.

  python src/bench/door.py      in the environment of `make python-env`
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "tests/python/scripts/lesson.py"
sys.path.insert(0, str(SCRIPT.parent))


def seconds(work):
  """Wall clock or the processor time of all threads, whichever is less: nobody is to blame for a busy machine."""
  wall, cpu = time.perf_counter(), time.process_time()
  work()
  return min(time.perf_counter() - wall, time.process_time() - cpu)


def of_script(*before):
  """Processor seconds of the script, run once."""
  spent = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
  began = spent()
  subprocess.run([sys.executable, *before, SCRIPT], check=True, capture_output=True)
  return spent() - began


def compiled_axpy(rows, columns):
  import jax
  import jax.numpy as jnp
  import lesson

  x = jnp.linspace(-1, 1, rows * columns, dtype=jnp.float32).reshape(rows, columns)
  compiled = jax.jit(lesson.axpy).lower(x, x).compile()
  return lambda: jax.block_until_ready(compiled(x, x))


def least(run, times):
  run()  # warm
  return min(seconds(run) for _ in range(times))


def measure():
  import jax
  from jax._src.pallas.mosaic import tpu_info

  import millrace.jax

  figures = {}
  figures["a script, in all"] = of_script("-m", "millrace"), of_script(), "s"
  millrace.jax.install()
  door = least(compiled_axpy(256, 2048), 5)
  call = least(compiled_axpy(8, 128), 50)
  millrace.jax.install(check="none")
  unchecked = least(compiled_axpy(256, 2048), 5)
  millrace.jax.uninstall()
  jax.config.update("jax_cpu_enable_async_dispatch", False)  # else the interpreter's callbacks may block each other
  tpu_info.registry["cpu"] = lambda: tpu_info.get_tpu_info_for_chip(tpu_info.ChipVersion.TPU_V5E, 1)
  interpreter = seconds(compiled_axpy(256, 2048))
  figures["axpy, 512 steps, checked"] = door, interpreter, "s"
  figures["axpy, 512 steps, unchecked"] = unchecked, interpreter, "s"
  figures["axpy, 1 step, a whole call"] = call, None, "s"
  return jax.__version__, figures


def main():
  version, figures = measure()
  if "--json" in sys.argv:
    print(json.dumps({"execution": "measured", "jax": version, "figures": figures}))
    return
  print(f"the JAX door against JAX {version}'s interpreter with its race detector, measured on this machine")
  for name, (door, interpreter, _) in figures.items():
    beside = f"{interpreter:10.3f} s   {interpreter / door:8.1f} times" if interpreter else ""
    print(f"  {name:30}{1e3 * door:12.3f} ms{beside}")


if __name__ == "__main__":
  main()
