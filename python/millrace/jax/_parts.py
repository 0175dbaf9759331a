# SPDX-License-Identifier: Apache-2.0
"""The parts of JAX that the door hangs on. They are not public, so each is looked for, and its absence told in a
line."""
import importlib
import types

from millrace._report import MillraceError

# What each is called here; its module, its name.
PARTS = {
    "core": ("jax._src.core", None),
    "effects": ("jax._src.effects", None),
    "sharding_impls": ("jax._src.sharding_impls", None),
    "custom_call": ("jax._src.tpu_custom_call", None),
    "lower_to_bytes": ("jax._src.tpu_custom_call", "_lower_mosaic_module_to_asm"),
    "tpu_custom_call_p": ("jax._src.tpu_custom_call", "tpu_custom_call_p"),
    "mlir": ("jax._src.interpreters.mlir", None),
    "lowerings": ("jax._src.interpreters.mlir", "_lowerings"),
    "lower_per_platform": ("jax._src.interpreters.mlir", "lower_per_platform"),
    "ir": ("jax._src.lib.mlir", "ir"),
    "hlo": ("jax._src.lib.mlir.dialects", "hlo"),
    "pallas_call": ("jax._src.pallas.pallas_call", None),
    "pallas_call_p": ("jax._src.pallas.pallas_call", "pallas_call_p"),
    "mpmd_map_p": ("jax._src.pallas.mpmd", "mpmd_map_p"),
    "pallas_core": ("jax._src.pallas.core", None),
    "get_interpret_effects": ("jax._src.pallas.core", "get_interpret_effects"),
    "TpuCompilerParams": ("jax._src.pallas.mosaic.core", "CompilerParams"),
    "tpu_info": ("jax._src.pallas.mosaic.tpu_info", None),
    "registry": ("jax._src.pallas.mosaic.tpu_info", "registry"),
    "mosaic": ("jax.experimental.mosaic", None),
    "emit": ("jax.experimental.mosaic", "lower_module_to_custom_call"),
    "pltpu": ("jax.experimental.pallas.tpu", None),
    "create_tensorcore_mesh": ("jax.experimental.pallas.tpu", "create_tensorcore_mesh"),
    "InterpretParams": ("jax.experimental.pallas.tpu", "InterpretParams"),
    "interpreter": ("jax._src.pallas.mosaic.interpret.interpret_pallas_call", None),
    "SPMDAxisContext": ("jax._src.sharding_impls", "SPMDAxisContext"),
    "ShardingContext": ("jax._src.sharding_impls", "ShardingContext"),
}
OLDEST = (0, 9, 2)
BEYOND = (0, 11, 0)  # what is there under the same names may take and give other things
TRIED = ("0.9.2", "0.10.2")


def version_of(text):
  """(0, 10, 2) of "0.10.2", of "0.10.2.dev3" as well."""
  numbers = []
  for part in text.split(".")[:3]:
    digits = "".join(c for c in part if c.isdigit())
    numbers.append(int(digits or 0))
  return tuple(numbers)


def _refuse(version, why):
  raise MillraceError(3, f"JAX {version} does not fit this Millrace: {why}; JAX {' and '.join(TRIED)} do")


def find():
  """All of them. MillraceError(3), one line, where JAX is not there or is one that Millrace does not know."""
  try:
    jax = importlib.import_module("jax")
  except ImportError as error:
    raise MillraceError(3, f"JAX is not installed ({error}); pip install 'millrace[jax]'") from None
  if version_of(jax.__version__) < OLDEST:
    _refuse(jax.__version__, "it is too old")
  found = {}
  for ours, (module, name) in PARTS.items():
    try:
      part = importlib.import_module(module)
      found[ours] = getattr(part, name) if name else part
    except (ImportError, AttributeError):
      _refuse(jax.__version__, f"{module}{'.' + name if name else ''} is missing")
  if version_of(jax.__version__) >= BEYOND:
    _refuse(jax.__version__, "it is newer than any that was tried")
  return types.SimpleNamespace(jax=jax, **found)
