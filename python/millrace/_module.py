# SPDX-License-Identifier: Apache-2.0
"""Kernels as JAX serialised them, on arrays."""
import ctypes
import json
import os
import pathlib

from millrace import _library, _pages, _report
from millrace._report import MillraceError


def _numpy_dtype(name):
  import numpy as np

  if name in ("bfloat16", "bf16"):
    import ml_dtypes

    return np.dtype(ml_dtypes.bfloat16)
  return np.dtype(name)


def _as_array(value):
  """Dense, row-major and of a dtype that kernels take: bools as i32, f8 as their bits, four-bit integers a byte
  each."""
  import numpy as np

  array = np.ascontiguousarray(np.asarray(value))
  array = array.reshape(np.shape(value))  # ascontiguousarray makes scalars vectors
  if array.dtype == np.bool_:
    return array.astype(np.int32)
  if array.dtype.name in ("int4", "uint4"):
    return array.astype(np.int8 if array.dtype.name == "int4" else np.uint8)
  if array.dtype.name.startswith("float8"):
    return array.view(np.uint8)
  if array.dtype.name not in _library.DTYPES:
    raise MillraceError(2, f"arrays of {array.dtype} do not go into kernels; {', '.join(_library.DTYPES[:-1])} do")
  return array


def _c_array(array):
  dims = (ctypes.c_int64 * array.ndim)(*array.shape)
  return _library.Array(array.ctypes.data, _library.DTYPES.index(array.dtype.name), array.ndim, dims)


def _c_arrays(arrays):
  return (_library.Array * len(arrays))(*map(_c_array, arrays))


def _bytes_of(module):
  if isinstance(module, (bytes, bytearray, memoryview)):
    return bytes(module), "kernel"
  path = pathlib.Path(os.fspath(module))
  try:
    return path.read_bytes(), str(path)
  except OSError as error:
    raise MillraceError(2, f"{path} cannot be read: {error.strerror}") from None


class Module:
  """A kernel that is open."""

  def __init__(self, module, **options):
    data, name = _bytes_of(module)
    self._chip, self._check = options.get("chip", "v5e"), options.get("check", "all")
    if "kernel" in options:
      options["pick"] = str(options.pop("kernel"))
    self._handle = ctypes.c_void_p()
    text = json.dumps({"name": name, "root": os.getcwd(), **options}).encode()
    _library.raise_for(_library.library().millrace_module_open(data, len(data), text, ctypes.byref(self._handle)))
    self.about = json.loads(_library.library().millrace_module_describe(self._handle))

  def __enter__(self):
    return self

  def __exit__(self, *unused):
    _library.library().millrace_module_close(self._handle)

  def _outputs(self, out_shapes):
    import numpy as np

    if out_shapes is None:
      shapes = [(o["shape"], _library.DTYPES[_library.NAMES.index(o["dtype"])]) for o in self.about["outputs"]]
      if any(shape is None for shape, _ in shapes):
        raise MillraceError(2, "the shapes of the outputs depend on data: give out_shapes=[(shape, dtype), ...]")
    else:
      shapes = [(shape, str(np.dtype(_numpy_dtype(dtype)))) for shape, dtype in out_shapes]
    return [np.zeros(shape, _numpy_dtype(dtype)) for shape, dtype in shapes * self.about["devices"]]

  def _shown(self, function, inputs, outputs):
    """The text that millrace_draw or millrace_report makes."""
    shown = ctypes.c_void_p()
    _library.raise_for(function(self._handle, _c_arrays(inputs), len(inputs), _c_arrays(outputs), len(outputs),
                                ctypes.byref(shown)))
    return _library.text_of(shown)

  def call(self, arrays, out_shapes=None, draw=False, reports=""):
    """The outputs, and a Report."""
    lib, inputs, outputs = _library.library(), [_as_array(a) for a in arrays], self._outputs(out_shapes)
    self._svg = self._shown(lib.millrace_draw, inputs, outputs) if draw else ""
    self._page = ""
    if reports:
      self._page = _pages.write(reports, self.about["kernel"], self._shown(lib.millrace_report, inputs, outputs))
    result = ctypes.c_void_p()
    _library.raise_for(lib.millrace_call(self._handle, _c_arrays(inputs), len(inputs), _c_arrays(outputs), len(outputs),
                                         ctypes.byref(result)))
    try:
      found = json.loads(lib.millrace_result_json(result))
      text = lib.millrace_result_text(result).decode()
    finally:
      lib.millrace_result_close(result)
    return outputs, _report.Report([self._call_of(found, text)])

  def _call_of(self, found, text):
    findings = tuple(map(_report.finding_of, found["findings"]))
    faulty = int(any(f.severity == "error" for f in findings))
    return _report.Call(self.about["kernel"], "", (), 1, faulty, self._chip, self._check, self.about["devices"],
                        findings, (), text, False, self._svg, self._page, found)


def run(module, arrays, out_shapes=None, **options):
  with Module(module, **options) as opened:
    outputs, report = opened.call(arrays, out_shapes)
  if report.errors[0]:
    raise MillraceError(1, report.calls[0].text.rstrip(), report)
  return outputs


def check(module, arrays, out_shapes=None, draw=False, reports="", **options):
  with Module(module, **options) as opened:
    outputs, report = opened.call(arrays, out_shapes, draw, reports)
  report.value = outputs
  return report
