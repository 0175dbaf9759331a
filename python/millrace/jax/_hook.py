# SPDX-License-Identifier: Apache-2.0
"""How kernels of a JAX program come here.

JAX lowers a pallas_call by a rule, and on the CPU it refuses or interprets. install() puts a rule of ours in its place:
on the CPU it calls JAX's own rule as if for the TPU, so that JAX does all that it does for a real one, and at the very
end of it, where the TPU custom call would be written, a call of Millrace is written instead, with the module in it.
"""
import atexit
import contextvars
import dataclasses
import functools
import itertools
import json
import math
import os
import sys
import types

from millrace import _library
from millrace._report import MillraceError
from millrace.jax import _parts, _places

TARGET = "millrace_call"
MOST_CLASSES = 4096  # of schedules that a call looks at, unless it is to explore
SERDE_VERSION = 9  # of the modules: what every JAX that is known here can write

_inside = contextvars.ContextVar("millrace_inside", default=None)  # the call that is being lowered as if for the TPU
_numbers = itertools.count()


@dataclasses.dataclass(frozen=True)
class Options:
  """As install() was given them."""

  chip: str = "v5e"
  check: str = "all"
  schedule: str = "canonical"
  explore: bool = False
  rules: bool = False  # whether the rules of the chip's compiler are checked, too
  cores: int = 1
  max_steps: int | None = None
  interpret_true: bool = False  # whether calls with interpret=True come here as well
  on_finding: str = "raise"  # or "report"
  draw: bool = False  # whether the first run of each call is drawn: Call.svg of the report
  reports: str = ""  # the folder that an HTML page of each call goes to: Call.page of the report


_CHIPS = {"v4": "TPU v4", "v5e": "TPU v5 lite", "v5p": "TPU v5p", "v6e": "TPU v6 lite", "tpu7x": "TPU7x"}
told = False  # whether somebody tells the report at the end, so that it need not be told here
_state = None  # while installed: what uninstall needs


class _State:

  def __init__(self, parts, options):
    self.parts, self.options = parts, options
    self.rules = {p: parts.lowerings[p].rule for p in (parts.pallas_call_p, parts.mpmd_map_p)}
    self.cpu_info = parts.registry.get("cpu")


def installed():
  """The options that the door is installed with, or None."""
  return _state.options if _state else None


def install(**options):
  """From now on the TPU kernels of this process that JAX compiles for the CPU run in Millrace.

  Calls with interpret=False and with InterpretParams; those with interpret=True stay with JAX unless
  interpret_true=True. Options: on_finding: "raise", a call of a faulty kernel fails (those with InterpretParams only
  where the kernel cannot go on, as with JAX's own interpreter), or "report"; chip; check ("all", "races", "none");
  schedule; explore; rules, cores, max_steps; draw; reports, a folder for an HTML page of each call. Installing
  again sets all options anew. MillraceError where this JAX does not fit.
  """
  global _state
  unknown = set(options) - set(Options.__dataclass_fields__)
  if unknown:
    raise MillraceError(2, f"there is no option {min(unknown)!r}; there are {', '.join(Options.__dataclass_fields__)}")
  wanted = Options(**options)
  if wanted.chip not in _CHIPS:
    raise MillraceError(2, f"there is no chip {wanted.chip!r} here; there are {', '.join(_CHIPS)}")
  if wanted.check not in ("all", "races", "none"):
    raise MillraceError(2, f"check is all, races or none, not {wanted.check!r}")
  _library.configure(on_finding=wanted.on_finding, draw=wanted.draw, reports=os.fspath(wanted.reports))
  if _state:
    _state.options = wanted
    _set_chip(_state)
  else:
    state = _State(_parts.find(), wanted)
    _register(state)
    _state = state
    _tell_at_exit()
  _state.parts.jax.clear_caches()  # what was compiled before would run as before


@functools.cache
def _tell_at_exit():
  """A program that ends without a look at its results ends with code 0; what was found is told at least."""
  atexit.register(_tell)


def _tell():
  from millrace import _report
  from millrace.jax import _session

  if installed() and not told:
    report = _session.report()
    if any(report.errors):
      print(_report.text(report, lambda text: False), file=sys.stderr)


def uninstall():
  """Everything as before install()."""
  global _state
  if not _state:
    return
  state, _state = _state, None
  parts = state.parts
  parts.mosaic.lower_module_to_custom_call = parts.emit
  parts.pallas_core.get_interpret_effects = parts.get_interpret_effects
  for primitive, rule in state.rules.items():
    parts.mlir.register_lowering(primitive, rule)
  parts.pltpu.create_tensorcore_mesh = parts.create_tensorcore_mesh
  parts.interpreter.__class__ = types.ModuleType
  parts.registry.pop("cpu", None)
  if state.cpu_info:
    parts.registry["cpu"] = state.cpu_info
  parts.jax.clear_caches()


@functools.cache
def _register_target(jax):
  library = _library.library()
  jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(library.millrace_xla_call), platform="cpu", api_version=1)


def _register(state):
  parts = state.parts
  _register_target(parts.jax)
  parts.mosaic.lower_module_to_custom_call = functools.partial(_emit_here_or_there, state)
  # InterpretParams marks a call as ordered input and output, for callbacks that are not there; JAX's quick path for
  # compiled functions stumbles over such a mark.
  parts.pallas_core.get_interpret_effects = lambda interpret: (
      frozenset() if isinstance(interpret, parts.InterpretParams) else parts.get_interpret_effects(interpret))
  for primitive, rule in state.rules.items():
    # Not cacheable: a rule that is cached sees no call site, and two calls would be one.
    parts.mlir.register_lowering(primitive, functools.partial(_dispatch, state, rule, primitive.name), cacheable=False)
  parts.mlir.register_lowering(parts.tpu_custom_call_p, functools.partial(_lower_ready_made, state), platform="cpu")
  parts.pltpu.create_tensorcore_mesh = functools.partial(_mesh_of_cores, state)
  parts.interpreter.__class__ = _Interpreter
  _set_chip(state)


def _set_chip(state):
  """The facts of a TPU where no abstract mesh names one: JAX asks the default device, which is "cpu" here."""
  info = state.parts.tpu_info
  version = info.chip_version_from_device_kind(_CHIPS[state.options.chip])
  cores = min(state.options.cores, 2 if version.supports_megacore else 1)  # more than a chip has may be simulated
  state.parts.registry["cpu"] = lambda: info.get_tpu_info_for_chip(version, cores)


def _mesh_of_cores(state, axis_name, devices=None, num_cores=None):
  """As JAX's, but where it would ask the default device, a CPU, how many cores that has."""
  if devices is None and num_cores is None and not state.parts.jax.sharding.get_abstract_mesh().abstract_device:
    num_cores = state.options.cores
  return state.parts.create_tensorcore_mesh(axis_name, devices=devices, num_cores=num_cores)


class _Races:

  @property
  def races_found(self):
    return bool(_library.library().millrace_last_run_raced())


class _Interpreter(types.ModuleType):
  """JAX's interpreter as a module whose `races` are ours, for tests that look there: those of the latest kernel,
  whatever JAX itself sets."""

  races = property(lambda self: _Races(), lambda self, value: None)


def _dispatch(state, rule, name, ctx, /, *nodes, **params):
  """Ours on the CPU, JAX's elsewhere. (A rule for the CPU alone would do, but a primitive that has rules by platform
  and is not cacheable cannot be exported for several platforms at once.)"""
  parts = state.parts
  if _state is not state:
    return rule(ctx, *nodes, **params)
  inner = ctx.replace(avals_out=list(ctx.avals_out))

  def on_cpu(ctx, *nodes, interpret, **params):
    if not _is_ours(state, interpret, params):
      return rule(ctx, *nodes, interpret=interpret, **params)
    return _lower_as_tpu(state, rule, ctx, *nodes, interpret=interpret, **params)

  out = parts.lower_per_platform(inner, name, dict(cpu=on_cpu), rule, parts.effects.no_effects, *nodes, **params)
  if ctx.tokens_out is None and len(ctx.tokens_in.effects()):
    ctx.set_tokens_out(inner.tokens_out or ctx.tokens_in)
  return out


def _is_ours(state, interpret, params):
  compiler_params = params.get("compiler_params")
  if compiler_params is not None and not isinstance(compiler_params, state.parts.TpuCompilerParams):
    return False  # for a GPU
  if interpret is False or interpret is None or isinstance(interpret, state.parts.InterpretParams):
    return True
  return interpret is True and state.options.interpret_true


def _lower_as_tpu(state, rule, ctx, /, *nodes, interpret, **params):
  name, kernel_at, arguments = _places.kernel_of(params)
  call = {"kernel": params.get("name") or name, "kernel_at": kernel_at,
          "called_at": _places.called_at(state.parts.ir.Location.current)}
  memories, semaphores = _places.scoped_of(params)
  names = {"arguments": arguments, "scoped": memories, "scoped_semaphores": semaphores}
  token = _inside.set((interpret, call, names, _cores_of(params)))
  try:
    out = rule(ctx.replace(platforms=("tpu",)), *nodes, interpret=False, **params)
  finally:
    _inside.reset(token)
  if ctx.tokens_in is not None and len(ctx.tokens_in.effects()):
    ctx.set_tokens_out(ctx.tokens_in)
  return out


def _cores_of(params):
  """Of the mesh that the kernel is written over; 1 where there is none."""
  meshes = [m for m in (params.get("mesh"), *params.get("meshes", ())) if m is not None]
  return max((math.prod(m.shape.values()) for m in meshes), default=1)


def _emit_here_or_there(state, ctx, *nodes, **params):
  if _inside.get() is None or _state is not state:
    return state.parts.emit(ctx, *nodes, **params)
  return _emit(state, ctx, *nodes, **params)


def _serialised(state, module):
  """The module's bytes in the oldest form that can express it, and whether its devices speak with each other."""
  try:
    return state.parts.lower_to_bytes(module, ir_version=SERDE_VERSION)
  except Exception:  # something newer is in it
    return state.parts.lower_to_bytes(module)


def _emit(state, ctx, *nodes, module, out_type, kernel_name, input_output_aliases, **unused):
  """In place of JAX's own, which writes the custom call of the TPU. The arguments are JAX's."""
  interpret, call, names, cores = _inside.get()
  data, (communicates, barrier) = _serialised(state, module)
  call = dict(call, together=bool(communicates or barrier))
  call["kernel"] = call["kernel"] or kernel_name or "kernel"
  options = _options_of(state, interpret, call)
  options["cores"] = max(cores, options["cores"])
  options.update(names, aliases=[list(a) for a in input_output_aliases])
  return _call(state, ctx, nodes, data, call, options, out_type)


def _chip_of(state):
  """As JAX saw it while it lowered: an abstract mesh may name another chip than install() did."""
  version = str(state.parts.tpu_info.get_tpu_info().chip_version)
  name = f"tpu{version}" if version.startswith("7") else version
  return name if name in _CHIPS else state.options.chip


def _options_of(state, interpret, call):
  """The library's options for this call: those of install(), and over them those of an `interpret=` object."""
  options = {k: getattr(state.options, k) for k in ("check", "schedule", "explore", "rules", "cores", "max_steps")}
  if isinstance(interpret, state.parts.InterpretParams):
    call["on_finding"] = "report"  # as JAX's interpreter, which prints
    call["asks_for_races"] = bool(interpret.detect_races)
    if interpret.dma_execution_mode == "eager" and options["schedule"] == "canonical":
      options["schedule"] = "eager"
    options["cores"] = max(options["cores"], getattr(interpret, "num_cores_or_threads", 1))
    for name in ("chip", "check", "schedule", "explore", "max_steps"):
      if getattr(interpret, name, None) is not None:
        options[name] = getattr(interpret, name)
    if getattr(interpret, "on_finding", None):
      call["on_finding"] = interpret.on_finding
  options.setdefault("chip", _chip_of(state))
  if not options["explore"]:
    options["max_classes"] = MOST_CLASSES
  return {k: v for k, v in options.items() if v is not None}


def _refuse_to_partition():
  raise NotImplementedError("Mosaic kernels cannot be automatically partitioned. Please wrap the call in a shard_map.")


def _devices_of(state, axes):
  """How many devices run the kernel, and a u32 that says which one this is."""
  parts = state.parts
  if isinstance(axes, parts.SPMDAxisContext):
    manual = axes.manual_axes | set(axes.mesh.manual_axes)
    if axes.manual_axes and manual != frozenset(axes.mesh.axis_names):
      _refuse_to_partition()
    return axes.mesh.size, parts.hlo.partition_id()
  if isinstance(axes, parts.ShardingContext) and axes.num_devices != 1:
    _refuse_to_partition()
  if isinstance(axes, getattr(parts.sharding_impls, "ReplicaAxisContext", ())):  # pmap, as it was
    return axes.axis_env.nreps, parts.hlo.replica_id()
  import numpy as np

  return 1, parts.mlir.ir_constant(np.uint32(0))


def _call(state, ctx, nodes, data, call, options, out_type):
  """The call of the library, with the module and all that is to be said of it in attributes."""
  import numpy as np

  parts = state.parts
  devices, device = _devices_of(state, ctx.module_context.axis_context)
  options = dict(options, name=call["kernel"], outputs=len(out_type), root=os.getcwd())
  meta = {"options": options, "call": dict(call, id=next(_numbers), devices=devices)}
  number = parts.core.ShapedArray((), np.dtype(np.uint32))
  inner = ctx.replace(primitive=None, avals_in=[*ctx.avals_in, number], avals_out=list(out_type))
  aliases = {i: o for i, o in options.get("aliases", ())}
  rule = parts.jax.ffi.ffi_lowering(TARGET, has_side_effect=True, operand_output_aliases=aliases)
  return rule(inner, *nodes, device, module=np.frombuffer(data, np.uint8), meta=json.dumps(meta))


def _lower_ready_made(state, ctx, *nodes, config, has_side_effects, kernel_name, out_avals, input_output_aliases,
                      metadata):
  """Of a module that somebody gave to JAX as it is (jax.experimental.mosaic.as_tpu_kernel)."""
  if _state is not state:
    raise NotImplementedError("TPU kernels run on a CPU only where millrace.jax is installed")
  call = {"kernel": kernel_name or "kernel", "kernel_at": "", "together": bool(config.has_communication),
          "called_at": _places.called_at(state.parts.ir.Location.current)}
  options = _options_of(state, False, call)
  options["aliases"] = [list(a) for a in input_output_aliases]
  return _call(state, ctx, nodes, config.lowered_module_asm, call, options, out_avals)
