# SPDX-License-Identifier: Apache-2.0
"""Kernels as JAX serialised them, run and checked without JAX's help."""
import pathlib

import jax
import ml_dtypes
import numpy as np
import pytest

import faults
import millrace

CASES = pathlib.Path(__file__).resolve().parents[1] / "cases"

pytestmark = pytest.mark.no_door


def exported(function, *args):
  """A StableHLO text with the kernel's call in it, for the TPU."""
  return jax.jit(function).trace(*args).lower(lowering_platforms=("tpu",)).as_text()


def scale_text():
  function, args = faults.named("race.read-write").make(False)
  return exported(function, *args).encode(), [np.asarray(a) for a in args]


def test_a_kernel_runs_on_numpy_and_jax_arrays_from_bytes_and_from_a_file(tmp_path):
  text, (x,) = scale_text()
  (tmp_path / "kernel.mlir").write_bytes(text)
  for module in (text, tmp_path / "kernel.mlir"):
    for array in (x, jax.numpy.asarray(x)):
      (got,) = millrace.run(module, [array])
      np.testing.assert_array_equal(got, 2 * x)


def test_bf16_goes_through_ml_dtypes():
  def copy(x_ref, out_ref):
    out_ref[...] = x_ref[...]

  x = np.arange(8 * 128).reshape(8, 128).astype(ml_dtypes.bfloat16)
  call = jax.experimental.pallas.pallas_call(copy, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))
  (got,) = millrace.run(exported(call, x).encode(), [x])
  assert got.dtype == x.dtype
  np.testing.assert_array_equal(got, x)


def test_a_faulty_kernel_is_reported_by_check_and_raised_by_run():
  function, args = faults.named("race.read-write").make(True)
  text = exported(function, *args).encode()
  report = millrace.check(text, *args)
  assert report.ids == ("race.read-write",)
  assert report[0].memory == "scratch0"
  assert repr(report) == "<millrace.Report: 1 kernel ran 1 time on a simulated v5e: 1 error>"
  assert "DMA write" in {s.access for s in report[0].sides}
  with pytest.raises(millrace.MillraceError, match=r"error\[race.read-write\]") as raised:
    millrace.run(text, args)
  assert raised.value.code == 1 and raised.value.report.ids == ("race.read-write",)


@pytest.mark.parametrize("arrays, said", [
    ([], "the kernel takes 1 inputs, but 0 were given"),
    ([np.zeros((8, 64), np.float32)], "in0 has shape (8, 64)"),
    ([np.zeros((8, 128), np.float64)], "arrays of float64 do not go into kernels"),
    ([np.zeros((8, 128), np.int32)], "in0 is i32"),
])
def test_arrays_that_do_not_fit_are_refused(arrays, said):
  text, _ = scale_text()
  with pytest.raises(millrace.MillraceError) as refused:
    millrace.run(text, arrays)
  assert refused.value.code == 2 and said in str(refused.value), refused.value


@pytest.mark.parametrize("module, code", [(b"", 2), (b"MLIR but not really", 2), (b"ML\xefR\x00\xff\xff", 2)])
def test_bytes_that_are_no_module_are_refused(module, code):
  with pytest.raises(millrace.MillraceError) as refused:
    millrace.run(module, [])
  assert refused.value.code == code


@pytest.mark.parametrize("options, said", [
    ({"chip": "v1"}, "v1"), ({"check": "some"}, "all, races or none"), ({"speed": 3}, "there is no option `speed`"),
    ({"devices": 0}, "devices"), ({"aliases": [[0]]}, "aliases"), ({"schedule": "best"}, "best"),
])
def test_options_that_are_none_are_refused(options, said):
  text, (x,) = scale_text()
  with pytest.raises(millrace.MillraceError) as refused:
    millrace.run(text, [x], **options)
  assert refused.value.code in (2, 3) and said in str(refused.value), refused.value


def test_check_none_runs_and_says_that_it_did_not_look():
  function, args = faults.named("race.read-write").make(True)
  text = exported(function, *args).encode()
  report = millrace.check(text, *args, check="none", chip="v6e")
  assert list(report) == []
  assert "on a simulated v6e, unchecked" in repr(report)
  assert "races were not looked for" in report.calls[0].text


def test_a_module_is_drawn_where_it_is_asked_for():
  text, (x,) = scale_text()
  assert millrace.check(text, x).calls[0].svg == ""
  svg = millrace.check(text, x, draw=True).calls[0].svg
  assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")


def test_a_module_has_a_report_where_it_is_asked_for(tmp_path):
  text, (x,) = scale_text()
  assert millrace.check(text, x).calls[0].page == ""
  page = pathlib.Path(millrace.check(text, x, reports=tmp_path / "a/b").calls[0].page)
  assert page == tmp_path / "a/b/kernel.html"
  assert page.read_text().startswith("<!doctype html>") and "</html>" in page.read_text()
  (tmp_path / "file").touch()
  with pytest.raises(millrace.MillraceError, match="cannot be written") as refused:
    millrace.check(text, x, reports=tmp_path / "file")
  assert refused.value.code == 2


def test_a_function_has_reports_where_it_is_asked_for(tmp_path):
  function, args = faults.named("race.read-write").make(True)
  report = millrace.check(function, *args, reports=tmp_path)
  assert "race.read-write" in pathlib.Path(report.calls[0].page).read_text()
