# SPDX-License-Identifier: Apache-2.0
"""Runs and checks TPU kernels without a TPU.

  python -m millrace script.py ...           a JAX program, unmodified: its TPU kernels run here, checked
  millrace.jax.install()                     the same from inside a program
  millrace.check(fn, *args)                  what is wrong with the kernels that fn(*args) runs
  millrace.run(module, arrays)               a kernel that JAX serialised, on arrays

Nothing here touches a TPU, and nothing is a measurement of one. Importing this module imports neither JAX nor numpy.
"""
import importlib

from millrace._report import Call, Finding, MillraceError, Report, Side

__all__ = ["Call", "Finding", "MillraceError", "Params", "Report", "Side", "check", "jax", "run", "version"]


def version():
  """Of the library that is loaded: "0.1.0"."""
  from millrace import _library

  return _library.version()


def check(what, *args, **options):
  """What is wrong with a kernel, as a Report: a sequence of Finding, empty where the kernel is clean.

  `what` is a function: it is called with `args`, under JAX, and the TPU kernels that it runs are checked; `value` of
  the report is what it returned, and nothing is raised for what is in the report. Or it is a kernel as JAX serialised
  it, bytes or the path of a file; then `args` are its arrays, as `run` takes them. With draw=True each call has a
  picture of its first run in modeled time (`report.calls[0].svg`), and a notebook shows it; with reports=FOLDER it has
  an HTML page in that folder (`report.calls[0].page`). Options: see `run`, and, of a function, millrace.jax.install.
  """
  if callable(what):
    from millrace.jax import _session

    return _session.check(what, *args, **options)
  from millrace import _module

  return _module.check(what, args, **options)


def run(module, arrays, **options):
  """The outputs of a kernel, a list of numpy arrays.

  `module`: a Mosaic module (text or bytecode) or a StableHLO text with a call of one; bytes, or the path of a file.
  `arrays`: its inputs, numpy or JAX arrays, in the order in which JAX passes them: dynamic bounds of the grid (i32
  scalars), scalar prefetch, inputs; of several devices, device by device. Options: outputs (how many of its operands
  are outputs, 1), out_shapes ([(shape, dtype)] where the module cannot say), kernel (which of a StableHLO text),
  aliases ([(input, output)]), devices, cores, chip, schedule, dma_signal, check, explore, max_steps, max_bytes. Raises
  MillraceError where the kernel is faulty (its `report` says how) or cannot be run.
  """
  from millrace import _module

  return _module.run(module, arrays, **options)


def __getattr__(name):
  if name == "jax":
    return importlib.import_module("millrace.jax")
  if name == "Params":
    return importlib.import_module("millrace.jax").Params
  raise AttributeError(f"module 'millrace' has no attribute {name!r}")
