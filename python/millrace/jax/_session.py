# SPDX-License-Identifier: Apache-2.0
"""Parts of a program, and what the kernels in them were found to do."""
import contextlib
import dataclasses

from millrace import _library, _report
from millrace.jax import _hook


def settle():
  """Waits for what the program has begun: a result that nobody has read may still be on its way."""
  import jax

  for array in jax.live_arrays():
    with contextlib.suppress(Exception):
      array.block_until_ready()


def report():
  """What was found since the process, or the session that is open, began."""
  settle()
  return _report.report_of(_library.ledger())


class Session:
  """`report` is there when the session is over."""

  report = None


@contextlib.contextmanager
def session(**options):
  """Installs the door, if it is not, for a part of a program: what is found in it is in the session's report and
  nowhere else. Options as of install()."""
  before = _hook.installed()
  if before is None or options:
    _hook.install(**options)
  opened = Session()
  _library.begin_ledger()
  try:
    yield opened
  finally:
    settle()
    opened.report = _report.report_of(_library.end_ledger())
    if before is None:
      _hook.uninstall()
    elif options:
      _hook.install(**dataclasses.asdict(before))


def check(function, /, *args, **options):
  """See millrace.check."""
  import jax

  value = None
  with session(**{"on_finding": "report", **options}) as opened:
    try:
      value = jax.block_until_ready(function(*args))
    except jax.errors.JaxRuntimeError:
      # A kernel that cannot go on fails its call; that is in the report. What failed for another reason is not.
      if not any(call["raised"] or call["errors"] for call in _library.ledger()["calls"]):
        raise
  opened.report.value = value
  return opened.report
