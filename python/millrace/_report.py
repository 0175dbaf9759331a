# SPDX-License-Identifier: Apache-2.0
"""What was found, as Python objects and as text. Knows neither the library nor JAX."""
from __future__ import annotations

import dataclasses
import html
import os
import re
import typing

KINDS = {1: "the kernel is faulty", 2: "user error", 3: "unsupported", 4: "internal error"}


class MillraceError(Exception):
  """A kernel that is faulty or could not be run. `code` is what the command line would exit with: 1 the kernel is
  faulty (`report` says how), 2 a user error, 3 unsupported, 4 a bug of Millrace."""

  def __init__(self, code, message, report=None):
    super().__init__(message)
    self.code, self.report = code, report


@dataclasses.dataclass(frozen=True)
class Side:
  """One of the two accesses of a finding."""

  access: str  # "core read", "DMA write", ...
  at: str  # "script.py:31", or a scope of JAX's pipeline, "ep_copy_in/dma_start"
  nth: int  # which execution of that place, from 0
  where: str  # the same for people


@dataclasses.dataclass(frozen=True)
class Finding:
  id: str  # "race.read-write", ...: `millrace explain ID`
  severity: str  # "error" or "warning"
  message: str
  hint: str  # how such a thing is usually mended
  clause: str
  memory: str  # the argument of the kernel, "x_ref"; "" where the finding has none
  at: str  # "script.py:31", the line to look at; of what has none, where the kernel is defined
  sides: tuple[Side, ...]  # the accesses, the later one first
  json: dict  # all of it: docs/schema/finding.schema.json

  def __str__(self):
    return f"{self.at + ': ' if self.at else ''}{self.id}: {self.message}"


def _line_of(place, words):
  """What JAX's own code does for a line of the user's has a scope of JAX's for a place; words of it tell the line."""
  lines = [] if re.search(r":\d+$", place) else re.findall(r"(?:inside|at) (\S+:\d+)", words)
  return lines[-1] if lines else place


def finding_of(json, kernel_at=""):
  sides = tuple(Side(s["access"], s.get("at", ""), s.get("nth", 0), s.get("where", ""))
                for s in (json.get("second"), json.get("first")) if s)
  places = [_line_of(s.at, s.where) for s in sides]
  places += [_line_of(w["at"], w.get("where", "")) for w in json.get("waiters", ())]
  places += [_line_of(json["at"], json["message"]) if json.get("at") else "", kernel_at]
  memories = [json.get("memory"), json.get("semaphore"), *(w["semaphore"] for w in json.get("waiters", ()))]
  return Finding(json["id"], json["severity"], json["message"], json["hint"], json["clause"],
                 next(filter(None, memories), ""), next(filter(None, places), ""), sides, json)


@dataclasses.dataclass(frozen=True)
class Call:
  """A kernel at one place of a program, over all its runs."""

  kernel: str
  kernel_at: str  # where its function is defined
  called_at: tuple[str, ...]  # the innermost place first
  runs: int
  faulty_runs: int
  chip: str
  check: str
  devices: int
  findings: tuple[Finding, ...]
  errors: tuple[dict, ...]  # what kept it from running: {"code", "message", "times"}
  text: str  # the findings, for people
  raised: bool  # whether it failed a call
  svg: str  # its first run in modeled time, where that was drawn; else ""
  page: str  # the file of its report, where one was written: of its first run, or of the first that was faulty; else ""
  json: dict

  def headline(self):
    parts = [f"kernel {self.kernel}" + (f" ({self.kernel_at})" if self.kernel_at else "")]
    if self.called_at:
      parts.append(f"called at {self.called_at[0]}")
    if self.devices > 1:
      parts.append(f"on {self.devices} devices")
    return ", ".join(parts)


class Report:
  """Findings, in the order of the calls; a sequence of Finding. `calls` has the calls, `value` what a function that was
  checked returned."""

  def __init__(self, calls=(), value=None):
    self.calls, self.value = tuple(calls), value
    self.findings = tuple(f for call in self.calls for f in call.findings)

  def __len__(self):
    return len(self.findings)

  def __iter__(self):
    return iter(self.findings)

  def __getitem__(self, index):
    return self.findings[index]

  def __repr__(self):
    return f"<millrace.Report: {summary(self)}>"

  def _repr_html_(self):
    """For a notebook: what was found, and the pictures."""
    return f"<pre>{html.escape(text(self))}</pre>" + "".join(c.svg for c in self.calls)

  @property
  def ids(self):
    return tuple(f.id for f in self.findings)

  @property
  def errors(self):
    """Findings that make a verdict faulty, and kernels that could not be run."""
    return tuple(f for f in self.findings if f.severity == "error"), tuple(e for c in self.calls for e in c.errors)

  def exit_code(self):
    """As of `millrace check`: 1 something was found, 0 nothing; else why a kernel did not run."""
    found, failed = self.errors
    return 1 if found else max((e["code"] for e in failed), default=0)

  def to_json(self):
    return {"schema": 1, "verdict": "faulty" if self.errors[0] else "clean", "calls": [c.json for c in self.calls]}


def report_of(ledger, value=None):
  """From the text of a ledger (millrace_ledger_json)."""
  calls = [Call(c["kernel"], c["kernel_at"], tuple(c["called_at"]), c["runs"], c["faulty_runs"], c["chip"], c["check"],
                c["devices"], tuple(finding_of(f, c["kernel_at"]) for f in c["findings"]), tuple(c["errors"]),
                c["text"], c["raised"], c["svg"], c["report"],
                {**{k: v for k, v in c.items() if k != "svg"}, "report": os.path.basename(c["report"])})
           for c in ledger["calls"]]
  return Report(calls, value)


def _counted(n, what):
  return f"{n} {what}{'' if n == 1 else 's'}"


def summary(report):
  """One line: how much ran, checked for what, and the verdict."""
  if not report.calls:
    return "no TPU kernel ran"
  runs, chips = sum(c.runs for c in report.calls), sorted({c.chip for c in report.calls})
  checks = {c.check for c in report.calls}
  ran = f"{_counted(len(report.calls), 'kernel')} ran {_counted(runs, 'time')} on a simulated {' and '.join(chips)}"
  if "none" in checks:
    ran += ", unchecked" if checks == {"none"} else ", partly unchecked"
  found, failed = report.errors
  warnings = len(report.findings) - len(found)
  verdict = [_counted(len(found), "error")] if found else []
  if warnings:
    verdict.append(_counted(warnings, "warning"))
  if failed:
    verdict.append(_counted(sum(e["times"] for e in failed), "call") + " could not be run")
  return f"{ran}: {', '.join(verdict) or ('clean' if checks != {'none'} else 'done')}"


def text(report, shown: typing.Callable[[str], bool] = lambda text: False):
  """For people. `shown`: whether a finding's text was printed already."""
  parts = []
  for call in report.calls:
    if not call.findings and not call.errors:
      continue
    parts.append(f"millrace: {call.headline()}, {call.faulty_runs} of {_counted(call.runs, 'run')} faulty"
                 if call.findings else f"millrace: {call.headline()}")
    if call.findings:
      parts.append("  (its findings are above)" if shown(call.text) else call.text.rstrip())
    for e in call.errors:
      if not shown(e["message"]):
        parts.append(f"  {KINDS[e['code']]}, {_counted(e['times'], 'time')}: {e['message']}")
  return "\n".join([*parts, f"millrace: {summary(report)}"])
