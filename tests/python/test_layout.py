# SPDX-License-Identifier: Apache-2.0
"""src/c_api/xla_abi.h says how XLA lays out its structs; here jaxlib's own header is asked."""
import pathlib
import re
import shutil
import subprocess

import jax.ffi
import pytest

pytestmark = pytest.mark.no_door

ABI = pathlib.Path(__file__).resolve().parents[2] / "src/c_api/xla_abi.h"
# Ours, theirs, {our field: theirs}.
STRUCTS = [
    ("Extension", "XLA_FFI_Extension_Base", {"struct_size": "struct_size", "type": "type", "next": "next"}),
    ("Version", "XLA_FFI_Api_Version", {"major": "major_version", "minor": "minor_version"}),
    ("Metadata", "XLA_FFI_Metadata", {"version": "api_version", "traits": "traits"}),
    ("MetadataExtension", "XLA_FFI_Metadata_Extension", {"metadata": "metadata"}),
    ("ErrorCreate", "XLA_FFI_Error_Create_Args", {"message": "message", "code": "errc"}),
    ("RunIdGet", "XLA_FFI_RunId_Get_Args", {"context": "ctx", "run_id": "run_id"}),
    ("Api", "XLA_FFI_Api", {"version": "api_version", "error_create": "XLA_FFI_Error_Create",
                            "run_id": "XLA_FFI_RunId_Get", "device_ordinal": "XLA_FFI_DeviceOrdinal_Get"}),
    ("Buffer", "XLA_FFI_Buffer", {"dtype": "dtype", "data": "data", "rank": "rank", "dims": "dims"}),
    ("Span", "XLA_FFI_ByteSpan", {"data": "ptr", "size": "len"}),
    ("ArrayAttribute", "XLA_FFI_Array", {"dtype": "dtype", "size": "size", "data": "data"}),
    ("Buffers", "XLA_FFI_Args", {"size": "size", "types": "types", "buffers": "args"}),
    ("Buffers", "XLA_FFI_Rets", {"size": "size", "types": "types", "buffers": "rets"}),
    ("Attributes", "XLA_FFI_Attrs", {"size": "size", "types": "types", "names": "names", "values": "attrs"}),
    ("CallFrame", "XLA_FFI_CallFrame", {"api": "api", "context": "ctx", "stage": "stage", "arguments": "args",
                                        "results": "rets", "attributes": "attrs"}),
]
NUMBERS = {"kMetadataExtension": "XLA_FFI_Extension_Metadata", "kArray": "XLA_FFI_AttrType_ARRAY",
           "kString": "XLA_FFI_AttrType_STRING", "kExecute": "XLA_FFI_ExecutionStage_EXECUTE",
           "kInvalidArgument": "XLA_FFI_Error_Code_INVALID_ARGUMENT", "kAborted": "XLA_FFI_Error_Code_ABORTED",
           "kUnimplemented": "XLA_FFI_Error_Code_UNIMPLEMENTED", "kInternal": "XLA_FFI_Error_Code_INTERNAL"}


def source(structs=STRUCTS):
  ours = "millrace::c_api::xla::"
  elements = re.findall(r"^  k(\w+) = \d+,$", ABI.read_text(), re.M)
  assert len(elements) > 10
  numbers = {**NUMBERS, **{f"k{e}": f"XLA_FFI_DataType_{e.upper()}" for e in elements}}
  lines = [f'#include "{ABI}"', '#include "xla/ffi/api/c_api.h"']
  for mine, theirs, fields in structs:
    lines += [f"static_assert(offsetof({ours}{mine}, {a}) == offsetof({theirs}, {b}), \"{mine}.{a}\");"
              for a, b in fields.items()]
  lines += [f"static_assert(static_cast<int>({ours}{a}) == static_cast<int>({b}), \"{a}\");"
            for a, b in numbers.items()]
  return "\n".join(lines) + "\n"


def compiled(text):
  command = ["g++", "-std=c++20", "-fsyntax-only", "-isystem", jax.ffi.include_dir(), "-x", "c++", "-"]
  return subprocess.run(command, input=text, capture_output=True, text=True)


@pytest.mark.skipif(not shutil.which("g++"), reason="no compiler here")
def test_our_structs_lie_as_xlas():
  done = compiled(source())
  assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not shutil.which("g++"), reason="no compiler here")
def test_a_field_that_lies_elsewhere_is_noticed():
  done = compiled(source([("Buffer", "XLA_FFI_Buffer", {"data": "dims"})]))
  assert done.returncode != 0 and "Buffer.data" in done.stderr
