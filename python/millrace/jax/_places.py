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


def _bodies(value):
  """The jaxprs in a parameter of an equation."""
  if isinstance(value, (tuple, list)):
    return [body for part in value for body in _bodies(part)]
  body = getattr(value, "jaxpr", value)
  return [body] if hasattr(body, "eqns") else []


def _scoped(jaxpr, names, taken):
  for eqn in jaxpr.eqns:
    bodies = [body for value in eqn.params.values() for body in _bodies(value)]
    if eqn.primitive.name == "run_scoped":
      (body,) = bodies
      given = list(body.debug_info.arg_names or ())
      for i, var in enumerate(body.invars):
        name = str(given[i] or "") if i < len(given) else ""
        if not name.isidentifier():  # "allocations[0].sem_recvs": JAX's own
          name = ""
        taken[name] = taken.get(name, 0) + 1
        if name and taken[name] > 1:
          name = f"{name}.{taken[name]}"
        names["sem" in str(getattr(var.aval, "memory_space", ""))].append(name)
    for body in bodies:
      _scoped(body, names, taken)


def _jaxprs_of(params):
  return [params["jaxpr"]] if "jaxpr" in params else list(params.get("jaxprs", ()))


def scoped_of(params):
  """What the functions that run_scoped is given call their memories, and their semaphores, in the order in which they
  are allocated; "" where that is a name of JAX's own. The second of one name is name.2."""
  jaxprs, names = _jaxprs_of(params), ([], [])
  if jaxprs:
    taken = {str(a): 1 for a in jaxprs[0].debug_info.arg_names or ()}
    _scoped(jaxprs[0], names, taken)
  return names


def kernel_of(params):
  """The name of the kernel's function, "file:line" of it, the names of its arguments."""
  jaxprs = _jaxprs_of(params)
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
