# SPDX-License-Identifier: Apache-2.0
"""What a bridge between JAX and a simulator falls into, each held by a test."""
import functools
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

import millrace.jax
from millrace.jax import _hook
from scripts import lesson


def add_one(x_ref, out_ref):
  out_ref[...] = x_ref[...] + 1


def plus_one(x, **options):
  return pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), **options)(x)


def x_of(*shape):
  return jnp.arange(np.prod(shape), dtype=jnp.float32).reshape(shape)


def calls():
  return millrace.jax.report().calls


def test_a_pipeline_needs_no_abstract_mesh():
  x = x_of(16, 256)
  np.testing.assert_array_equal(lesson.axpy(x, x), 3 * x)
  assert calls()[0].chip == "v5e"


def test_the_chip_is_that_of_an_abstract_mesh_else_of_install():
  x = x_of(16, 256)
  with lesson.simulated("TPU v6 lite"):
    lesson.axpy(x, x)
  assert calls()[0].chip == "v6e"
  millrace.jax.install(chip="v5p")
  lesson.axpy(x, x)
  assert calls()[1].chip == "v5p"


def test_two_alike_calls_are_told_apart_by_their_lines():
  x = x_of(8, 128)

  @jax.jit
  def twice(x):
    y = plus_one(x)
    return plus_one(y)

  np.testing.assert_array_equal(twice(x), x + 2)
  assert [c.runs for c in calls()] == [1, 1]
  lines = [int(c.called_at[1].rpartition(":")[2]) for c in calls()]  # [0] is the line in plus_one
  assert lines[1] == lines[0] + 1


def test_a_program_is_exported_for_cpu_and_tpu_at_once():
  x = x_of(8, 128)
  unstable = jax.export.DisabledSafetyCheck.custom_call(_hook.TARGET)
  exported = jax.export.export(jax.jit(plus_one), platforms=["cpu", "tpu"], disabled_checks=[unstable])(x)
  text = exported.mlir_module()
  assert "tpu_custom_call" in text and _hook.TARGET in text
  np.testing.assert_array_equal(exported.call(x), x + 1)
  assert calls()[0].runs == 1


def test_a_kernel_may_be_named():
  np.testing.assert_array_equal(plus_one(x_of(8, 128), name="plus_one"), x_of(8, 128) + 1)
  assert calls()[0].kernel == "plus_one"


def test_a_function_compiled_ahead_runs_twice_under_interpret_params():
  x = x_of(8, 128)
  compiled = jax.jit(functools.partial(plus_one, interpret=pltpu.InterpretParams())).lower(x).compile()
  for _ in range(2):
    np.testing.assert_array_equal(compiled(x), x + 1)


def test_a_kernel_whose_result_is_dropped_does_no_harm():
  @jax.jit
  def drops(x):
    plus_one(x)
    return 2 * x

  np.testing.assert_array_equal(drops(x_of(8, 128)), 2 * x_of(8, 128))


def test_modules_are_written_in_the_oldest_form_or_else_in_the_newest(monkeypatch):
  asked = []
  parts = _hook._state.parts
  plain = parts.lower_to_bytes

  def picky(module, ir_version=None):
    asked.append(ir_version)
    if ir_version is not None:
      raise ValueError("too new for that")
    return plain(module)

  monkeypatch.setattr(parts, "lower_to_bytes", picky)
  np.testing.assert_array_equal(plus_one(x_of(8, 128)), x_of(8, 128) + 1)
  assert asked == [_hook.SERDE_VERSION, None]


def test_index_maps_under_x64_are_refused_as_by_the_compiler_with_the_mend():
  def call(zero):
    block = pl.BlockSpec((8, 128), lambda i: (i, zero()))
    return plus_one(x_of(16, 128), grid=(2,), in_specs=[block], out_specs=block)

  jax.config.update("jax_enable_x64", True)
  try:
    said = r"returns \(i32, i64\) for a window of rank 2.*jnp.int32\(0\)"
    with pytest.raises(jax.errors.JaxRuntimeError, match=said):
      jax.block_until_ready(call(lambda: 0))
    np.testing.assert_array_equal(call(lambda: jnp.int32(0)), x_of(16, 128) + 1)
  finally:
    jax.config.update("jax_enable_x64", False)


def test_interpret_true_stays_with_jax_unless_it_is_asked_for():
  x = x_of(4, 8)
  block = pl.BlockSpec((2, 4), lambda i, j: (i, j))  # no TPU takes such a block
  spec = dict(grid=(2, 2), in_specs=[block], out_specs=block)
  np.testing.assert_array_equal(plus_one(x, interpret=True, **spec), x + 1)
  assert calls() == ()
  millrace.jax.install(interpret_true=True)
  with pytest.raises(Exception, match="divisible by 8"):
    plus_one(x, interpret=True, **spec)
  np.testing.assert_array_equal(plus_one(x_of(8, 128), interpret=True), x_of(8, 128) + 1)
  assert len(calls()) == 1


def test_kernels_for_gpus_stay_with_jax():
  triton = pytest.importorskip("jax.experimental.pallas.triton")
  with pytest.raises(Exception, match="[Oo]nly interpret mode is supported on CPU"):
    plus_one(x_of(8, 128), compiler_params=triton.CompilerParams())
  assert calls() == ()


def test_after_uninstall_everything_is_as_it_was():
  from jax._src.pallas.mosaic import tpu_info

  x = x_of(8, 128)
  jitted = jax.jit(plus_one)
  np.testing.assert_array_equal(jitted(x), x + 1)
  millrace.jax.uninstall()
  assert millrace.jax.installed() is None and "cpu" not in tpu_info.registry
  with pytest.raises(Exception, match="[Oo]nly interpret mode is supported on CPU"):
    jitted(x)
  assert calls()[0].runs == 1


BACK_WITH_JAX = """
import jax
jax.config.update("jax_cpu_enable_async_dispatch", False)  # else the interpreter's callbacks may block each other
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu
import millrace.jax

def add_one(x_ref, out_ref):
  out_ref[...] = x_ref[...] + 1

x = jnp.zeros((8, 128), jnp.float32)
call = pl.pallas_call(add_one, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=pltpu.InterpretParams())
for install in (True, False):
  (millrace.jax.install if install else millrace.jax.uninstall)()
  np.testing.assert_array_equal(call(x), x + 1)
print([c.runs for c in millrace.jax.report().calls])
"""


@pytest.mark.no_door
def test_after_uninstall_jaxs_interpreter_is_back():
  ran = subprocess.run([sys.executable, "-c", BACK_WITH_JAX], capture_output=True, text=True, timeout=300)
  assert ran.stdout == "[1]\n", ran.stderr


@pytest.mark.no_door
def test_a_jax_that_does_not_fit_is_refused_in_a_line_that_names_what_is_missing(monkeypatch):
  from jax.experimental import mosaic

  monkeypatch.delattr(mosaic, "lower_module_to_custom_call")
  with pytest.raises(millrace.MillraceError) as refused:
    millrace.jax.install()
  assert str(refused.value) == (f"JAX {jax.__version__} does not fit this Millrace: jax.experimental.mosaic."
                                "lower_module_to_custom_call is missing; JAX 0.9.2 and 0.10.2 do")
  for version, why in [("0.8.1", "it is too old"), ("0.9.1", "it is too old")]:
    monkeypatch.setattr(jax, "__version__", version)
    with pytest.raises(millrace.MillraceError, match=rf"^JAX {version} does not fit this Millrace: {why}; [^\n]*$"):
      millrace.jax.install()
  monkeypatch.undo()
  monkeypatch.setattr(jax, "__version__", "0.11.0")
  with pytest.raises(millrace.MillraceError, match="^JAX 0.11.0 .*: it is newer than any that was tried; "):
    millrace.jax.install()
  assert millrace.jax.installed() is None
