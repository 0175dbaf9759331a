# SPDX-License-Identifier: Apache-2.0
"""A faulty kernel of each finding: its id, its line, the argument's name. The mended twin is clean."""
import json
import pathlib
import subprocess
import sys

import faults
import faults_of_rules
import jax
import jsonschema
import numpy as np
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import millrace
import millrace.jax


HERE = pathlib.Path(__file__).parent
SCHEMA = HERE.parents[1] / "docs/schema/finding.schema.json"
# What no program of JAX's can meet: JAX refuses the kernel itself, and so does Millrace where it reads such a module.
REFUSED = {"dma.mismatch", "target.memory-space"}


UNLIKE = """module {
  func.func @main(%x: memref<8x128xf32, #tpu.memory_space<any>>, %out: memref<16x128xf32, #tpu.memory_space<any>>,
      %done: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) attributes {
      dimension_semantics = [], scalar_prefetch = 0 : i64, scratch_operands = 1 : i64} {
    "tpu.enqueue_dma"(%x, %out, %done) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>} :
      (memref<8x128xf32, #tpu.memory_space<any>>, memref<16x128xf32, #tpu.memory_space<any>>,
       memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    return
  }
}
"""


def places_of(fault):
  from millrace.jax import _places

  return [_places.short(faults.__file__).removesuffix("faults.py") + place for place in fault.places]


def test_there_is_one_of_each_id():
  ids = json.loads(SCHEMA.read_text())["$defs"]["id"]["anyOf"][0]["enum"]
  assert len(ids) > 15
  assert set(ids) - REFUSED <= {f.id for f in faults.ALL}
  assert len({f.id for f in faults.ALL}) == len(faults.ALL)


@pytest.mark.parametrize("fault", faults.ALL, ids=lambda f: f.id)
def test_a_faulty_kernel_is_found_with_its_line_and_the_name_of_its_argument(fault):
  function, args = fault.make(True)
  report = millrace.check(function, *args, **fault.options)
  assert fault.id in report.ids, report
  finding = next(f for f in report if f.id == fault.id)
  assert finding.severity == ("warning" if fault.id.startswith("target.") else "error")
  assert "unknown place" not in finding.message
  if fault.argument:
    assert finding.memory == fault.argument
    assert fault.argument in finding.message
  if fault.places:
    assert any(place in [finding.at, *(s.at for s in finding.sides)] for place in places_of(fault)), finding
  assert report.exit_code() == (finding.severity == "error")


@pytest.mark.parametrize("fault", faults.ALL, ids=lambda f: f.id)
def test_its_mended_twin_is_clean(fault):
  function, args = fault.make(False)
  report = millrace.check(function, *args, **fault.options)
  assert list(report) == [], report
  assert report.exit_code() == 0
  assert report.calls[0].runs == 1


@pytest.mark.no_door
def test_a_script_that_meets_them_all_ends_with_1_and_tells_each(tmp_path):
  command = [sys.executable, "-m", "millrace", "--chip", "v5e", "--json", tmp_path / "found.json",
             HERE / "scripts/meets_all.py"]
  ran = subprocess.run(command, capture_output=True, text=True)
  assert (ran.returncode, ran.stdout) == (1, "the script ends\n"), ran.stderr
  found = json.loads((tmp_path / "found.json").read_text())
  jsonschema.validate(found, json.loads(SCHEMA.read_text()))
  told = [f["id"] for c in found["calls"] for f in c["findings"]]
  for fault in faults.ALL:
    assert fault.id in told
    word = "warning" if fault.id.startswith("target.") else "error"
    assert f"{word}[{fault.id}]" in ran.stderr
    assert not fault.places or any(place in ran.stderr for place in fault.places), fault.id


def test_copies_between_unlike_ends_are_refused_by_jax_and_where_they_come_in_a_module(tmp_path):
  def kernel(x_hbm, out_hbm):
    pltpu.sync_copy(x_hbm, out_hbm)

  call = pl.pallas_call(kernel, out_shape=faults.shaped(16), in_specs=[faults.ANY], out_specs=faults.ANY)
  with pytest.raises(Exception, match="shape mismatch"):
    call(faults.rows(8))
  with pytest.raises(millrace.MillraceError, match="unlike.mlir:5.*shape") as refused:
    (tmp_path / "unlike.mlir").write_text(UNLIKE)
    millrace.check(tmp_path / "unlike.mlir", np.zeros((8, 128), np.float32))
  assert refused.value.code == 2


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
