# SPDX-License-Identifier: Apache-2.0
"""The TPU kernels that JAX ships, as they are, against references without Pallas: the cases of tests/jax, some of
each."""
import contextlib
import importlib
import pathlib
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh, PartitionSpec as P

import millrace.jax

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "jax"))

import harness


def cases_of(module):
  """None where its imports are not in this JAX: tests/jax is for 0.9.2."""
  try:
    return importlib.import_module(module).cases()
  except ImportError:
    return []


WANTED = [
    "matmul/bf16", "matmul/f32_highest", "matmul/int8_to_i32", "matmul/int4_to_i32", "philox/77",
    "double/bfloat16_5x131",
    "gmm/f32", "gmm/bf16", "gmm/backward", "gmm/group_offset",
    "flash/causal", "flash/bf16", "flash/segments", "flash/backward_causal", "flash/backward_bias",
    "splash/causal", "splash/bf16", "splash/backward", "splash/backward_fused", "splash/grouped_heads",
    "paged/bf16", "paged/int8", "paged/grid_over_pages", "ragged/mixed", "ragged/bf16",
]
# What is so by design, where the op's own code around the kernel mends it.
KNOWN = {"gmm/group_offset": {"uncovered.output", "uninitialized.read"}}
CASES = {c.name: c for m in ("basics", "grouped", "attention", "splash", "paged") for c in cases_of(m)}


@pytest.mark.parametrize("name", WANTED)
def test_an_op_of_jax_agrees_with_its_reference_and_is_clean(name):
  if name not in CASES:
    pytest.skip(f"JAX {jax.__version__} has what the case takes elsewhere")
  case = CASES[name]
  millrace.jax.install(on_finding="report")
  with jax.default_matmul_precision(case.precision) if case.precision else contextlib.nullcontext():
    got = jax.tree.leaves(jax.block_until_ready(case.fn(*case.args)))
  want = jax.tree.leaves(case.reference(*case.args))
  assert max(harness.distance(g, w) for g, w in zip(got, want, strict=True)) <= case.tolerance
  report = millrace.jax.report()
  assert sum(c.runs for c in report.calls) == case.kernels
  assert set(report.ids) == KNOWN.get(name, set()), report[0]


def test_all_gather_on_eight_devices_gathers_and_its_race_is_found():
  # Its second copy into a device may arrive before its first, on one semaphore: in some schedules only.
  millrace.jax.install(on_finding="report")
  from jax.experimental.pallas.ops.tpu import all_gather

  mesh = Mesh(np.array(jax.devices()), ("d",))
  x = jax.device_put(jnp.arange(64 * 128, dtype=jnp.float32).reshape(64, 128), jax.NamedSharding(mesh, P("d")))
  got = all_gather.all_gather(x, mesh=mesh, axis_name="d", memory_space=all_gather.pltpu.VMEM)
  np.testing.assert_array_equal(got, x)
  report = millrace.jax.report()
  assert [c.devices for c in report.calls] == [8]
  assert set(report.ids) == {"race.read-write"} and {f.json["schedules"] for f in report} == {"some"}
