# SPDX-License-Identifier: Apache-2.0
"""Kernels over a mesh of cores that signal each other: also before the other has begun the scope of its semaphore."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import millrace

X = jnp.arange(16 * 128, dtype=jnp.float32).reshape(16, 128)


def over_cores(cores, body):
  """f(x), whose kernel runs body(x_ref, y_ref) on each of so many cores and returns y."""
  mesh = pltpu.create_tensorcore_mesh("core", num_cores=cores)

  @jax.jit
  def f(x):
    def inner(refs):
      @pl.core_map(mesh)
      def _():
        body(*refs)

    return pl.run_state(inner)((x, jnp.zeros_like(x)))[1]

  return f


def halves_after_a_barrier(wait=True):
  """Each core copies its part when all have come."""

  def body(x_ref, y_ref):
    cores = jax.lax.axis_size("core")

    def scope(all_here):
      for core in range(cores):
        pl.semaphore_signal(all_here, 1, core_index=core)
      if wait:
        pl.semaphore_wait(all_here, cores)
      rows = pl.ds(jax.lax.axis_index("core") * (16 // cores), 16 // cores)
      pltpu.sync_copy(x_ref.at[rows], y_ref.at[rows])

    pl.run_scoped(scope, pltpu.SemaphoreType.REGULAR)

  return body


@pytest.mark.parametrize("cores", [2, 4])
@pytest.mark.parametrize("schedule", ["canonical", "eager", "lazy", "random:1", "random:2", "random:3"])
def test_a_barrier_in_a_scope_that_not_all_have_begun(cores, schedule):
  report = millrace.check(over_cores(cores, halves_after_a_barrier()), X, schedule=schedule)
  assert list(report) == [], report
  np.testing.assert_array_equal(report.value, X)


def test_all_orders_of_such_a_barrier_are_explored():
  report = millrace.check(over_cores(2, halves_after_a_barrier()), X, explore=True)
  assert list(report) == [], report
  assert report.calls[0].json["schedules"]["complete"]


def test_a_barrier_that_nobody_awaits_is_left_over():
  report = millrace.check(over_cores(2, halves_after_a_barrier(wait=False)), X)
  assert report.ids == ("leftover.semaphore",)


@pytest.mark.parametrize("first", [0, 1])
def test_one_core_after_the_other(first):
  def body(x_ref, y_ref):
    me = jax.lax.axis_index("core")

    def scope(turn):
      @pl.when(me != first)
      def _():
        pltpu.semaphore_wait(turn, 1)

      pltpu.sync_copy(x_ref, y_ref)

      @pl.when(me == first)
      def _():
        pltpu.semaphore_signal(turn, 1, core_index=1 - first)

    pl.run_scoped(scope, pltpu.SemaphoreType.REGULAR)

  report = millrace.check(over_cores(2, body), X)
  assert list(report) == [], report
  np.testing.assert_array_equal(report.value, X)


def test_a_signal_into_a_scope_that_never_begins_is_left_over():
  def body(x_ref, y_ref):
    @pl.when(jax.lax.axis_index("core") == 0)
    def _():
      def scope(turn):
        pltpu.semaphore_signal(turn, 1, core_index=1)
        pltpu.sync_copy(x_ref, y_ref)

      pl.run_scoped(scope, pltpu.SemaphoreType.REGULAR)

  report = millrace.check(over_cores(2, body), X)
  assert report.ids == ("leftover.semaphore",)
  assert "still holds 1 when the kernel ends" in report[0].message
