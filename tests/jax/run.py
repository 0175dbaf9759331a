# SPDX-License-Identifier: Apache-2.0
"""JAX's own TPU kernels in Millrace, each against a reference: a line a case, a summary, exit code 1 where one failed.

  python tests/jax/run.py [--jobs N] [--keep FOLDER] [PART OF A NAME]...
"""
import argparse
import concurrent.futures
import multiprocessing
import os
import pathlib
import sys
import time


def all_cases():
  import attention
  import basics
  import exported
  import grouped
  import paged
  import splash
  import twins

  cases = [c for module in (basics, exported, grouped, attention, splash, paged, twins) for c in module.cases()]
  names = [c.name for c in cases]
  assert len(names) == len(set(names)), "two cases have one name"
  return cases


def names_of(wanted):
  return [c.name for c in all_cases() if not wanted or any(w in c.name for w in wanted)]


def prepare():
  import door

  door.install()


def run_one(name, keep):
  import door
  import harness

  case = next(c for c in all_cases() if c.name == name)
  outcome = harness.outcome_of(case)
  if keep:
    for i, text in enumerate(door.stats.texts):
      pathlib.Path(keep, f"{name.replace('/', '-')}.{i}.mlir").write_text(text)
  return outcome


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("wanted", nargs="*", metavar="NAME", help="cases whose names contain one of these (default all)")
  parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: as many as processors)")
  parser.add_argument("--keep", help="a folder for the StableHLO texts that were run")
  options = parser.parse_args()
  began = time.monotonic()
  if options.keep:
    pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
  prepare()
  names = names_of(options.wanted)
  if not names:
    sys.exit(f"no case has any of {options.wanted} in its name")
  counts = {"ok": 0, "wrong": 0, "failed": 0, "skipped": 0}
  fresh = multiprocessing.get_context("spawn")
  with concurrent.futures.ProcessPoolExecutor(options.jobs, fresh, initializer=prepare) as pool:
    for outcome in pool.map(run_one, names, [options.keep] * len(names)):
      counts[outcome.state] += 1
      print(f"{outcome.state:8}{outcome.name:44}{outcome.seconds:6.1f} s  {outcome.line}", flush=True)
  said = ", ".join(f"{n} {state}" for state, n in counts.items())
  print(f"{said}; {time.monotonic() - began:.0f} s")
  return 1 if counts["wrong"] or counts["failed"] else 0


if __name__ == "__main__":
  sys.exit(main())
