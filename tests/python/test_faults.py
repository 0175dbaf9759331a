# SPDX-License-Identifier: Apache-2.0
"""A faulty kernel of each finding: its id, its line, the argument's name. The mended twin is clean."""
import faults
import jax
import numpy as np
import pytest

import millrace
import millrace.jax


def places_of(fault):
  from millrace.jax import _places

  return [_places.short(faults.__file__).removesuffix("faults.py") + place for place in fault.places]


@pytest.mark.parametrize("fault", faults.ALL, ids=lambda f: f.id)
def test_a_faulty_kernel_is_found_with_its_line_and_the_name_of_its_argument(fault):
  function, args = fault.make(True)
  report = millrace.check(function, *args)
  assert fault.id in report.ids, report
  finding = next(f for f in report if f.id == fault.id)
  if fault.argument:
    assert finding.memory == fault.argument
    assert fault.argument in finding.message
  if fault.places:
    assert any(place in [finding.at, *(s.at for s in finding.sides)] for place in places_of(fault)), finding
  assert report.exit_code() == 1


@pytest.mark.parametrize("fault", faults.ALL, ids=lambda f: f.id)
def test_its_mended_twin_is_clean(fault):
  function, args = fault.make(False)
  report = millrace.check(function, *args)
  assert list(report) == [], report
  assert report.exit_code() == 0
  assert report.calls[0].runs == 1


def test_a_faulty_call_fails_and_the_next_call_is_as_if_nothing_had_been():
  faulty, args = faults.named("race.read-write").make(True)
  right, _ = faults.named("race.read-write").make(False)
  with pytest.raises(jax.errors.JaxRuntimeError, match="race.read-write in kernel kernel called at .*test_faults.py:"):
    jax.block_until_ready(faulty(*args))
  np.testing.assert_array_equal(right(*args), 2 * np.asarray(args[0]))
  stuck, args = faults.named("deadlock").make(True)
  with pytest.raises(jax.errors.JaxRuntimeError, match="deadlock"):
    jax.block_until_ready(stuck(*args))
  moving, _ = faults.named("deadlock").make(False)
  np.testing.assert_array_equal(moving(*args), args[0])


def test_a_finding_that_comes_again_is_told_once_and_its_runs_are_counted():
  function, args = faults.named("race.read-write").make(True)
  millrace.jax.install(on_finding="report")
  compiled = jax.jit(lambda x: function(x))
  for _ in range(3):
    jax.block_until_ready(compiled(*args))
  (call,) = millrace.jax.report().calls
  assert (call.runs, call.faulty_runs, [f.id for f in call.findings]) == (3, 3, ["race.read-write"])
  assert not call.raised
