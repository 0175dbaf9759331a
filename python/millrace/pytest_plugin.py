# SPDX-License-Identifier: Apache-2.0
"""pytest --millrace: the TPU kernels of each test run in Millrace, and what is found fails the test.

@pytest.mark.millrace("race.read-write") says that a test is to meet this finding (and no others); several ids, several
findings. @pytest.mark.millrace(check="races", ...) gives options of millrace.jax.install for one test.
"""
import os

import pytest


def pytest_addoption(parser):
  group = parser.getgroup("millrace", "TPU kernels without a TPU")
  group.addoption("--millrace", action="store_true", help="run the TPU kernels of JAX tests in Millrace, checked")
  group.addoption("--millrace-chip", default=None, metavar="CHIP", help="the chip that is simulated (default v5e)")
  group.addoption("--millrace-check", default="all", choices=("all", "races", "none"), help="what is looked for")


def pytest_configure(config):
  config.addinivalue_line("markers", "millrace(*ids, **options): the findings that a test is to meet; options for it")
  if not config.getoption("--millrace"):
    return
  os.environ.setdefault("JAX_PLATFORMS", "cpu")
  import millrace.jax
  from millrace import MillraceError

  try:
    millrace.jax.install(**_options(config))
    millrace.jax._hook.told = True
  except MillraceError as error:
    raise pytest.UsageError(f"--millrace: {error}") from None


def pytest_unconfigure(config):
  if config.getoption("--millrace", default=False):
    import millrace.jax

    millrace.jax.uninstall()


def _options(config):
  chip = config.getoption("--millrace-chip")
  return {"chip": chip or "v5e", "rules": chip is not None, "check": config.getoption("--millrace-check"),
          "on_finding": "report"}


def _expected(item):
  """The ids that its markers name, and the options."""
  ids, options = [], {}
  for marker in reversed(list(item.iter_markers("millrace"))):  # the closest last
    ids += marker.args
    options.update(marker.kwargs)
  return ids, options


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
  if not item.config.getoption("--millrace"):
    return (yield)
  import millrace.jax

  expected, options = _expected(item)
  failure, result = None, None
  with millrace.jax.session(**({**_options(item.config), **options} if options else {})) as session:
    try:
      result = yield
    except Exception as error:  # a kernel that cannot go on fails its call
      failure = error
  report = session.report
  if report.calls:
    item.add_report_section("call", "millrace", _text(report))
  if not _is_explained(item, failure, expected, report):
    if failure:
      raise failure
    if getattr(item, "_excinfo", None):  # where unittest keeps what a test failed with
      return result
  _judge(report, expected)
  return result


def _is_explained(item, failure, expected, report):
  """Whether a test failed by no more than the call of a kernel that is expected to be faulty."""
  import jax

  failures = [failure] if failure else [info.value for info in getattr(item, "_excinfo", None) or ()]
  explained = bool(expected and report.errors[0]) and all(isinstance(f, jax.errors.JaxRuntimeError) for f in failures)
  if explained and not failure and failures:
    item._excinfo.clear()
  return explained


def _text(report):
  from millrace import _report

  return _report.text(report)


def _judge(report, expected):
  """One line where something else was found than is expected; pytest shows the report below it."""
  found, failed = report.errors
  if failed:
    pytest.fail(f"millrace: {failed[0]['message']}", pytrace=False)
  ids = {f.id for f in found}
  others = [f for f in found if f.id not in expected]
  missing = [i for i in expected if i not in ids]
  if others:
    pytest.fail(f"millrace: {others[0]}" + (f" (and {len(others) - 1} more)" if others[1:] else ""), pytrace=False)
  if missing:
    pytest.fail(f"millrace: {', '.join(missing)} was expected, but not found", pytrace=False)
