# SPDX-License-Identifier: Apache-2.0
"""What a module does not say of its kernel: where it is defined, who calls it, what its arguments are called."""
import os
import re

_FRAME = re.compile(r'"([^"]+\.(?:py|ipynb)|<[^"]+>)":(\d+)')


def short(path):
  """From the working directory; of a file elsewhere its last two parts, so that no machine's folders are told."""
  if not path.startswith("/"):
    return path
  below = os.path.relpath(path)
  return below if not below.startswith("..") else "/".join(path.split("/")[-2:])


def kernel_of(params):
  """The name of the kernel's function, "file:line" of it, the names of its arguments."""
  jaxprs = [params["jaxpr"]] if "jaxpr" in params else list(params.get("jaxprs", ()))
  if not jaxprs:
    return "", "", []
  info = jaxprs[0].debug_info
  place = (info.func_src_info or "").partition(" at ")[2]
  path, _, line = place.rpartition(":")
  return info.func_name, f"{short(path)}:{line}" if path else "", [str(a or "") for a in info.arg_names or ()]


def called_at(location):
  """The user's frames of an MLIR location, the innermost first; each once, as newer JAX repeats them."""
  frames = [f"{short(file)}:{line}" for file, line in _FRAME.findall(str(location))]
  return list(dict.fromkeys(frames))[:4]
