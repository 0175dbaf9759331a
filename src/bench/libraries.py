# SPDX-License-Identifier: Apache-2.0
"""Which library multiplies f32 matrices fastest on this machine: each in a process of its own, in turn, with its kernels
forced where it lets itself be. This is how the library of src/target/cpu/matmul.h was chosen (docs/cpu.md).

  python3 src/bench/libraries.py [--threads 1] [--rounds 5] [N ...]

Prints GFLOP/s, the best of all rounds. Time is the process's own on its processors, divided by the threads, so that a
busy machine spoils less. Debian: libdnnl2 libopenblas0-serial libopenblas0-pthread libblis4-serial libblis4-pthread."""
import argparse
import ctypes
import os
import subprocess
import sys
import time

FOLDER = "/usr/lib/x86_64-linux-gnu"


def candidates(threads):
  kind = "serial" if threads == 1 else "pthread"
  yield "oneDNN", f"{FOLDER}/libdnnl.so.2", {}
  for core in ("HASWELL", "ZEN", "SKYLAKEX", "COOPERLAKE"):
    yield f"OpenBLAS {core}", f"{FOLDER}/openblas-{kind}/libopenblas.so.0", {"OPENBLAS_CORETYPE": core}
  for core in ("haswell", "zen3", "skx"):
    yield f"BLIS {core}", f"{FOLDER}/blis-{kind}/libblis.so.4", {"BLIS_ARCH_TYPE": core}


def product(path, n):
  library = ctypes.CDLL(path)
  a, b, c = ((ctypes.c_float * (n * n))(*([value] * n)) for value in (1 / 3, 0.7, 0))
  for array in (a, b):  # the first row holds numbers; the others are copies of it
    for row in range(1, n):
      ctypes.memmove(ctypes.byref(array, 4 * n * row), array, 4 * n)
  one, zero = ctypes.c_float(1), ctypes.c_float(0)
  if "dnnl" in path:
    size = ctypes.c_int64(n)
    letter = ctypes.c_char(b"N")
    return lambda: library.dnnl_sgemm(letter, letter, size, size, size, one, a, size, b, size, zero, c, size)
  rows, plain = 101, 111  # CblasRowMajor, CblasNoTrans
  return lambda: library.cblas_sgemm(rows, plain, plain, n, n, n, one, a, n, b, n, zero, c, n)


def measure(path, threads, n):
  multiply = product(path, n)
  runs = max(1, int(2e8 / (2 * n**3)))
  for _ in range(2):
    multiply()
  best = float("inf")
  for _ in range(5):
    before = time.process_time()
    for _ in range(runs):
      multiply()
    best = min(best, (time.process_time() - before) / runs / threads)
  return 2 * n**3 / best / 1e9


def main():
  parser = argparse.ArgumentParser()
  parser.add_argument("sizes", nargs="*", type=int, default=[64, 128, 256, 512, 1024, 4096])
  parser.add_argument("--threads", type=int, default=1)
  parser.add_argument("--rounds", type=int, default=5)
  parser.add_argument("--one", help=argparse.SUPPRESS)
  options = parser.parse_args()
  if options.one:
    print(*(f"{measure(options.one, options.threads, n):.1f}" for n in options.sizes))
    return
  threads = str(options.threads)
  best = {}
  for _ in range(options.rounds):
    for name, path, forced in candidates(options.threads):
      if not os.path.exists(path):
        continue
      environment = dict(os.environ, OMP_NUM_THREADS=threads, OPENBLAS_NUM_THREADS=threads, BLIS_NUM_THREADS=threads,
                         **forced)
      command = [sys.executable, __file__, "--one", path, "--threads", threads, *map(str, options.sizes)]
      done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
      rates = [float(word) for word in done.stdout.split()]
      best[name] = [max(pair) for pair in zip(best.get(name, rates), rates)]
  print(f"{'':20}", *(f"{n:>7}" for n in options.sizes))
  for name, rates in best.items():
    print(f"{name:20}", *(f"{rate:7.1f}" for rate in rates))


main()
