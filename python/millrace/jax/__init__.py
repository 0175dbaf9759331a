# SPDX-License-Identifier: Apache-2.0
"""The JAX door: TPU kernels of a JAX program on the CPU run in Millrace, checked.

  import millrace.jax
  millrace.jax.install()             # before the first kernel is compiled

  with millrace.jax.session() as s:  # or for a part of a program
    ...
  print(s.report)
"""
import dataclasses
import functools

from millrace.jax._hook import install, installed, uninstall
from millrace.jax._session import report, session

__all__ = ["Params", "install", "installed", "report", "session", "uninstall"]


@functools.cache
def _params_class():
  from jax.experimental.pallas import tpu as pltpu

  @dataclasses.dataclass(frozen=True, kw_only=True)
  class Params(pltpu.InterpretParams):
    """An `interpret=` object of pallas_call with options of Millrace for this call; each that is None is as installed.
    Where the door is not installed it is a plain InterpretParams."""

    chip: str | None = None  # "v5e"
    check: str | None = None  # "all", "races" or "none"
    schedule: str | None = None  # "canonical", "eager", "lazy", "random:SEED"
    explore: bool | None = None
    on_finding: str | None = None  # "raise" or "report"
    max_steps: int | None = None

  Params.__module__, Params.__qualname__ = __name__, "Params"
  return Params


def __getattr__(name):
  if name == "Params":
    return _params_class()
  raise AttributeError(f"module 'millrace.jax' has no attribute {name!r}")
