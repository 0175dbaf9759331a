# SPDX-License-Identifier: Apache-2.0
"""Kernels of our own, as JAX 0.9.2 lowers them, with right outputs by numpy (or by jnp on the CPU).

    python FILE.py OUT [CASE ...]     write the cases of a source file as folders of OUT (needs jax 0.9.2 and scipy)
    python own.py OUT                 write the cases that stand in this repository (kept.txt), from all files

A case is declared by `K` (any function with one pallas_call in it) or by `E` (a function of values, whose reference is the
same function, run by jnp, unless one is given). A kernel that JAX refuses to lower is named and left out.
"""

import json
import os
import pathlib
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax
from jax._src import tpu_custom_call
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

jax.config.update("jax_hlo_source_file_canonicalization_regex", r"^.*/")
jax.config.update("jax_include_full_tracebacks_in_locations", False)

f32, bf16, i32, i8, i16, u32 = jnp.float32, jnp.bfloat16, jnp.int32, jnp.int8, jnp.int16, jnp.uint32
NB = ml_dtypes.bfloat16
rng = np.random.default_rng
SDS, B = jax.ShapeDtypeStruct, pl.BlockSpec
VMEM, SMEM, HBM = pltpu.VMEM, pltpu.SMEM, pltpu.HBM
DMA, REG = pltpu.SemaphoreType.DMA, pltpu.SemaphoreType.REGULAR
AC, HI = pltpu.make_async_copy, lax.Precision.HIGHEST


def whole_any():
    return B(memory_space=pl.ANY)


def whole_smem():
    return B(memory_space=SMEM)


def f64(a):
    return np.asarray(a).astype(np.float64)


# --- lowering: the bytes of each module that JAX serialises are caught on their way
_bodies = []
_serialise = tpu_custom_call._lower_mosaic_module_to_asm


def _caught(module, **kw):
    body, flags = _serialise(module, **kw)
    _bodies.append(body)
    return body, flags


tpu_custom_call._lower_mosaic_module_to_asm = _caught


def _mesh():
    device = jax.sharding.AbstractDevice(device_kind="TPU v5 lite", num_cores=1)
    return jax.sharding.use_abstract_mesh(jax.sharding.AbstractMesh((1,), ("d",), abstract_device=device))


def _lowered(fn, inputs):
    _bodies.clear()
    with _mesh():
        jax.jit(fn).trace(*inputs).lower(lowering_platforms=("tpu",))
        results = jax.tree.leaves(jax.eval_shape(fn, *inputs))
    assert len(_bodies) == 1, f"{len(_bodies)} kernels"
    return _bodies[0], results


# --- arrays: bf16 and f8 are stored as their bits, four-bit integers a byte each
_NAMES = {
    "bfloat16": ("bf16", np.uint16),
    "float32": ("f32", None),
    "float16": ("f16", None),
    "int32": ("i32", None),
    "int16": ("i16", None),
    "int8": ("i8", None),
    "uint32": ("u32", None),
    "uint16": ("u16", None),
    "uint8": ("u8", None),
    "bool": ("i1", None),
    "float8_e4m3fn": ("f8e4m3fn", np.uint8),
    "float8_e5m2": ("f8e5m2", np.uint8),
    "int4": ("i4", None),
    "uint4": ("u4", None),
}


def _save(path, a):
    bits = _NAMES[str(a.dtype)][1]
    if bits:
        a = a.view(bits)
    if str(a.dtype) in ("int4", "uint4"):
        a = a.astype(np.int8 if str(a.dtype) == "int4" else np.uint8)
    np.save(path, a)


def _operand(a, file):
    return {"dtype": _NAMES[str(a.dtype)][0], "shape": list(a.shape), "file": file}


OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
ONLY = set(sys.argv[2:])
COUNT = {"written": 0, "refused": 0}


def K(name, fn, inputs, outputs, tol=(0.0, 0.0), prefetch=0, aliases=None, extra=None):
    """Writes one case; `outputs`: the right results, or a function that gives them. tol: (rtol, atol)."""
    if ONLY and name not in ONLY:
        return
    inputs = [np.asarray(a) for a in inputs]
    outputs = [np.asarray(a) for a in (outputs() if callable(outputs) else outputs)]
    try:
        body, results = _lowered(fn, [jnp.asarray(a) for a in inputs])
    except Exception as error:
        COUNT["refused"] += 1
        print("not lowered:", name, (str(error).splitlines() or ["?"])[0][:120])
        return
    for result, right in zip(results, outputs, strict=True):
        assert result.shape == right.shape and str(result.dtype) == str(right.dtype), (
            name,
            result,
            right.shape,
            right.dtype,
        )
    folder = OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.mlirbc").write_bytes(body)
    for k, a in enumerate(inputs):
        _save(folder / f"in{k}.npy", a)
    for k, a in enumerate(outputs):
        _save(folder / f"out{k}.npy", a)
    record = {
        "name": name,
        "origin": "own",
        "jax": jax.__version__,
        "chip": "TPU v5 lite",
        "cores": 1,
        "scalar_prefetch": prefetch,
        "aliases": aliases or {},
        "inputs": [_operand(a, f"in{k}.npy") for k, a in enumerate(inputs)],
        "outputs": [_operand(a, f"out{k}.npy") for k, a in enumerate(outputs)],
        "tolerance": {"rtol": tol[0], "atol": tol[1]},
        "verdict": "clean",
        "findings": [],
        **(extra or {}),
    }
    (folder / "case.json").write_text(json.dumps(record, indent=1) + "\n")
    COUNT["written"] += 1


def one(kernel, *outs, **kw):
    """A pallas_call without a grid; outs: (shape, dtype) each."""
    shapes = [SDS(s, d) for s, d in outs]
    return pl.pallas_call(kernel, out_shape=shapes if len(shapes) > 1 else shapes[0], **kw)


def elt(f, *outs):
    """The kernel that loads all its inputs whole, applies f and stores what it gives."""

    def kernel(*refs):
        n = len(refs) - len(outs)
        results = f(*[r[...] for r in refs[:n]])
        for ref, value in zip(refs[n:], results if isinstance(results, (tuple, list)) else [results]):
            ref[...] = value

    return one(kernel, *outs)


def E(name, f, inputs, ref=None, tol=(0.0, 0.0)):
    """A function of values; its reference is `ref` by numpy, or f itself by jnp."""
    if ONLY and name not in ONLY:
        return
    operands = [jnp.asarray(a) for a in inputs]
    right = ref(*inputs) if ref else f(*operands)
    right = [np.asarray(v) for v in (right if isinstance(right, (tuple, list)) else [right])]
    K(name, elt(f, *[(v.shape, jnp.dtype(v.dtype)) for v in right]), inputs, right, tol)


def done():
    print(f"{COUNT['written']} written, {COUNT['refused']} not lowered")


if __name__ == "__main__":
    here = pathlib.Path(__file__).resolve().parent
    kept = {}
    for line in (here / "kept.txt").read_text().splitlines():
        file, *names = line.split()
        kept.setdefault(file, []).extend(names)
    for file, names in kept.items():
        os.system(f"{sys.executable} {here / file} {sys.argv[1]} {' '.join(names)}")
