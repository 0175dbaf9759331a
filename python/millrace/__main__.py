# SPDX-License-Identifier: Apache-2.0
"""python -m millrace [options] script.py args...: the script, its TPU kernels run in Millrace and checked."""
import argparse
import contextlib
import json
import os
import runpy
import sys
import traceback

from millrace import _pages, _report


def parser():
  p = argparse.ArgumentParser(
      prog="python -m millrace",
      description="Runs a JAX script unchanged; its TPU kernels run on the CPU, checked. What was found goes to stderr "
      "at the end. Exit code: the script's own, else 1 something was found, 2 or 3 or 4 a kernel could not be run.",
      epilog="example: python -m millrace --chip v6e train.py --steps 10")
  p.add_argument("--chip",
                 help="the chip that is simulated, and whose compiler's rules are checked (without: v5e, no rules)")
  p.add_argument("--check", choices=("all", "races", "none"), default="all", help="what is looked for (default all)")
  p.add_argument("--explore", action="store_true", help="look at every order of events that can make a difference")
  p.add_argument("--schedule", default="canonical",
                 help="the order of events that is run: canonical, eager, lazy, random:SEED")
  p.add_argument("--keep-going", action="store_true", help="do not fail the call of a kernel that is faulty but ends")
  p.add_argument("--interpret-true", action="store_true", help="take calls with interpret=True as well")
  p.add_argument("--report", metavar="DIR", help="write HTML reports into this folder, a page a call")
  p.add_argument("--json", metavar="FILE", help="write what was found into this file")
  p.add_argument("script", help="a Python file")
  p.add_argument("arguments", nargs=argparse.REMAINDER, help="for the script")
  return p


def refuse(code, message):
  print(f"millrace: {message}", file=sys.stderr)
  sys.exit(code)


def options_of(given):
  return {"check": given.check, "explore": given.explore, "schedule": given.schedule, "chip": given.chip or "v5e",
          "rules": given.chip is not None, "interpret_true": given.interpret_true,
          "on_finding": "report" if given.keep_going else "raise",
          "reports": os.path.abspath(given.report) if given.report else ""}


def code_of(end):
  """What Python would exit with, after the same words."""
  if end.code is None or isinstance(end.code, int):
    return end.code or 0
  print(end.code, file=sys.stderr)
  return 1


def run_script(given):
  """Its exit code, and the text of the error that it ended with."""
  sys.argv = [given.script, *given.arguments]
  sys.path[0] = os.path.dirname(os.path.abspath(given.script))
  try:
    # Kept until what it has begun is over: without its names nobody would hold the results.
    run_script.globals = runpy.run_path(given.script, run_name="__main__")
    return 0, ""
  except SystemExit as end:
    return code_of(end), ""
  except KeyboardInterrupt:
    return 130, ""
  except BaseException as error:
    from millrace.jax import _session

    _session.settle()  # while the frames of the error hold the results
    own = [i for i, frame in enumerate(traceback.extract_tb(error.__traceback__)) if "runpy" in frame.filename]
    for _ in range(own[-1] + 1 if own else 0):
      error.__traceback__ = error.__traceback__.tb_next
    traceback.print_exception(error)
    return 1, str(error)


def main():
  os.environ.setdefault("JAX_PLATFORMS", "cpu")  # before JAX is imported; where there is no TPU it looks for one long
  given = parser().parse_args()
  if not os.path.isfile(given.script):
    refuse(2, f"{given.script} is no file")
  if given.json and not os.path.isdir(os.path.dirname(os.path.abspath(given.json))):
    refuse(2, f"{given.json} cannot be written: its folder is not there")
  import millrace.jax

  options = options_of(given)
  try:
    millrace.jax.install(**options)
  except _report.MillraceError as error:
    refuse(error.code, str(error))
  millrace.jax._hook.told = True
  code, said = run_script(given)
  report = millrace.jax.report()
  with contextlib.suppress(OSError, ValueError):
    sys.stdout.flush()
  print(_report.text(report, lambda text: text.strip() in said), file=sys.stderr)
  if given.json:
    _pages.write_whole(given.json, json.dumps(report.to_json(), indent=2) + "\n")
  if given.report:
    index = _pages.write_index(options["reports"], os.path.basename(given.script), report)
    print(f"millrace: report in {os.path.relpath(index)}", file=sys.stderr)
  found = report.exit_code()
  sys.exit(1 if found == 1 else code or found)


if __name__ == "__main__":
  main()
