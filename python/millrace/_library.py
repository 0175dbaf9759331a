# SPDX-License-Identifier: Apache-2.0
"""libmillrace_c.so through ctypes: the functions of include/millrace/c_api.h, loaded when the first one is asked
for."""
import ctypes
import functools
import json
import os
import pathlib

from millrace._report import MillraceError

DTYPES = ("float32", "bfloat16", "float16", "int8", "int16", "int32", "uint8", "uint16", "uint32", "bool")
NAMES = ("f32", "bf16", "f16", "i8", "i16", "i32", "u8", "u16", "u32", "i1")  # in the library's own words


class Array(ctypes.Structure):
  _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
              ("dims", ctypes.POINTER(ctypes.c_int64))]


def _signatures(lib):
  text, handle, array = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(Array)
  # Texts that the caller frees come as pointers.
  for name, result, *arguments in [
      ("millrace_version", text), ("millrace_last_error", text),
      ("millrace_module_open", ctypes.c_int, text, ctypes.c_size_t, text, ctypes.POINTER(handle)),
      ("millrace_module_describe", text, handle), ("millrace_module_close", None, handle),
      ("millrace_call", ctypes.c_int, handle, array, ctypes.c_size_t, array, ctypes.c_size_t, ctypes.POINTER(handle)),
      ("millrace_draw", ctypes.c_int, handle, array, ctypes.c_size_t, array, ctypes.c_size_t, ctypes.POINTER(handle)),
      ("millrace_report", ctypes.c_int, handle, array, ctypes.c_size_t, array, ctypes.c_size_t, ctypes.POINTER(handle)),
      ("millrace_result_json", text, handle), ("millrace_result_text", text, handle),
      ("millrace_result_close", None, handle),
      ("millrace_ledger_begin", None), ("millrace_ledger_end", handle), ("millrace_ledger_json", handle),
      ("millrace_text_free", None, handle), ("millrace_last_run_raced", ctypes.c_int),
      ("millrace_configure", ctypes.c_int, text)]:
    function = getattr(lib, name)
    function.restype, function.argtypes = result, arguments
  return lib


def path():
  """Of the library: beside this file, or where $MILLRACE_LIBRARY says."""
  return os.environ.get("MILLRACE_LIBRARY") or str(pathlib.Path(__file__).with_name("libmillrace_c.so"))


@functools.cache
def library():
  try:
    return _signatures(ctypes.CDLL(path()))
  except (OSError, AttributeError) as error:
    raise MillraceError(4, f"the library of Millrace cannot be used: {error}") from None


def version():
  return library().millrace_version().decode()


def raise_for(code):
  """What the thread's last call failed with; nothing where it did not."""
  if code not in (0, 1):
    raise MillraceError(code, library().millrace_last_error().decode())


def configure(**settings):
  raise_for(library().millrace_configure(json.dumps(settings).encode()))


def text_of(pointer):
  """A text that the caller is to free."""
  try:
    return ctypes.string_at(pointer).decode()
  finally:
    library().millrace_text_free(pointer)


def ledger():
  return json.loads(text_of(library().millrace_ledger_json()))


def begin_ledger():
  library().millrace_ledger_begin()


def end_ledger():
  return json.loads(text_of(library().millrace_ledger_end()))
