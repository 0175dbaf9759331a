# SPDX-License-Identifier: Apache-2.0
"""pytest --millrace: findings fail the test that met them, and a test may expect one."""
import pathlib

import pytest

pytestmark = pytest.mark.no_door

HERE = pathlib.Path(__file__).parent

TESTS = """
import unittest
import jax, pytest
import faults
from jax._src.pallas.mosaic.interpret import interpret_pallas_call as interpreter

def run(id, faulty):
  function, args = faults.named(id).make(faulty)
  return jax.block_until_ready(function(*args))

def test_clean():
  run("race.read-write", False)

def test_race():
  run("race.read-write", True)

@pytest.mark.millrace("race.read-write")
def test_race_is_expected():
  assert not interpreter.races.races_found
  run("race.read-write", True)
  assert interpreter.races.races_found

@pytest.mark.millrace("deadlock")
def test_deadlock_is_expected():
  run("deadlock", True)

@pytest.mark.millrace("deadlock")
def test_race_is_no_deadlock():
  run("race.read-write", True)

@pytest.mark.millrace("deadlock")
def test_nothing_is_no_deadlock():
  run("deadlock", False)

@pytest.mark.millrace(check="none")
def test_unchecked():
  run("race.read-write", True)

def test_own_failure():
  run("race.read-write", False)
  assert 1 == 2

def test_no_kernel():
  pass

class Unit(unittest.TestCase):
  def test_unit_race(self):
    run("race.read-write", True)

  @pytest.mark.millrace("deadlock")
  def test_unit_deadlock_is_expected(self):
    run("deadlock", True)
"""

FAILS = {"test_race", "test_race_is_no_deadlock", "test_nothing_is_no_deadlock", "test_own_failure", "test_unit_race"}


def test_findings_fail_the_tests_that_met_them(pytester, monkeypatch):
  monkeypatch.setenv("PYTHONPATH", str(HERE))
  pytester.makepyfile(TESTS)
  ran = pytester.runpytest_subprocess("--millrace", "-p", "no:cacheprovider", "-rfE")
  outcomes = {line.split("::")[-1].split(" ")[0] for line in ran.outlines if line.startswith("FAILED")}
  assert outcomes == FAILS
  ran.assert_outcomes(passed=6, failed=5)
  ran.stdout.fnmatch_lines(["*millrace: *faults.py:*: race.read-write:*", "*error?race.read-write?*"])
  ran.stdout.fnmatch_lines(["*deadlock was expected, but not found*"])


def test_without_the_option_nothing_changes(pytester):
  pytester.makepyfile("def test_a():\n  import sys\n  assert 'jax' not in sys.modules\n")
  pytester.runpytest_subprocess().assert_outcomes(passed=1)
