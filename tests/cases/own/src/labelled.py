# SPDX-License-Identifier: Apache-2.0
"""Small kernels with a verdict: faulty ones with every finding that a right checker reports, and correct twins.

    python faults.py OUT [CASE ...]     write the cases of a source file as folders of OUT (needs jax 0.9.2)

A comment `#@ tag` at the end of a line names it, and findings name lines by tag. A kernel without findings is clean;
its outputs are compared. The findings were worked out from the rules (docs/semantics.md) before a checker saw them.
"""

import json
import os
import pathlib
import re
import sys

import own
from own import DMA, REG, SDS, SMEM, VMEM, bf16, f32, i32, jax, jnp, lax, np, pl, pltpu

copy = pltpu.make_async_copy
HBM_REF = pl.BlockSpec(memory_space=pl.ANY)
VMEM_REF = pl.BlockSpec(memory_space=VMEM)
SMEM_REF = pl.BlockSpec(memory_space=SMEM)
P = jax.sharding.PartitionSpec


def like(shape, dtype=f32):
    return SDS(shape, dtype)


def ramp(*shape, start=0, dtype=np.float32):
    return np.arange(start, start + int(np.prod(shape))).reshape(shape).astype(dtype)


def rows(n, at=lambda i: (i, 0)):
    return pl.BlockSpec((n, 128), at)


class Kernel:
    """One pallas_call, and what a case says of it."""

    def __init__(self, fn, aliases=None, prefetch=0, cores=1, meshed=False, devices=None):
        self.fn, self.aliases, self.prefetch, self.cores = fn, aliases or {}, prefetch, cores
        self.meshed, self.devices = meshed, devices


def call(kernel, out, n, scratch=(), ins=None, outs=None, grid=None, aliases=None, prefetch=0, cores=1, **kw):
    """`n` inputs; operands stay in HBM unless a spec says otherwise."""
    one = not isinstance(out, list)
    ins = list(ins or [HBM_REF] * (n - prefetch))
    outs = list(outs or [HBM_REF] * (1 if one else len(out)))
    args = dict(out_shape=out, input_output_aliases=aliases or {}, **kw)
    if prefetch:
        args["grid_spec"] = pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=prefetch,
            grid=grid,
            in_specs=ins,
            out_specs=outs[0] if one else outs,
            scratch_shapes=list(scratch),
        )
    else:
        args.update(in_specs=ins, out_specs=outs[0] if one else outs, scratch_shapes=list(scratch))
        if grid is not None:
            args["grid"] = grid
    return Kernel(lambda *x: pl.pallas_call(kernel, **args)(*x), aliases, prefetch, cores)


def meshed(body, out, *scratch):
    """On both cores of a chip with two."""
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=2)
    fn = lambda *x: pl.kernel(body, out_shape=out, mesh=mesh, scratch_shapes=list(scratch))(*x)
    return Kernel(fn, cores=2, meshed=True)


def one_device(k):
    k.fn, k.devices = jax.shard_map(k.fn, in_specs=P(), out_specs=P(), check_vma=False), 1
    return k


# --- findings


def side(text, nth=0, **more):
    access, tag = text.rsplit(" ", 1)
    return {"access": access, "at": tag, "nth": nth, **more}


def race(memory, first, second, box, nth=(0, 0), schedules="all", cores=None):
    writes = all(" write @" in s for s in (first, second))
    sides = [side(s, n) for s, n in zip((first, second), nth)]
    for s, core in zip(sides, cores or ()):
        s["core"] = core
    return {
        "id": "race.write-write" if writes else "race.read-write",
        "memory": memory,
        "first": sides[0],
        "second": sides[1],
        "box": box,
        "schedules": schedules,
    }


def uninit(memory, access, box, nth=0, **more):
    return found("uninitialized.read", memory=memory, second=side(access, nth), box=box, **more)


def deadlock(semaphore, at, nth, has, needs, core=0, schedules="all"):
    waiter = dict(semaphore=semaphore, at=at, nth=nth, has=has, needs=needs, core=core)
    return {"id": "deadlock", "waiters": [waiter], "schedules": schedules}


def left_dma(memory, at, semaphore, amount, nth=0, schedules="all"):
    first = {"access": "DMA", "at": at, "nth": nth}
    more = {"semaphore": semaphore, "bytes": amount, "schedules": schedules}
    return {"id": "leftover.dma", "memory": memory, "first": first, **more}


def left_sem(semaphore, count, at):
    return {"id": "leftover.semaphore", "semaphore": semaphore, "count": count, "at": at, "schedules": "all"}


def outlives(memory, access, box, nth=0):
    return {"id": "scope.use-after", "memory": memory, "first": side(access, nth), "box": box, "schedules": "all"}


def bounds(what, memory, access, box, extent, nth=0):
    return found("bounds." + what, memory=memory, second=side(access, nth), box=box, extent=extent)


def uncovered(memory, *boxes, schedules="all"):
    return {"id": "uncovered.output", "memory": memory, "boxes": list(boxes), "schedules": schedules}


def found(name, **more):
    return {"id": name, "schedules": "all", **more}


# --- cases


def _lowered(k, inputs):
    own._bodies.clear()
    kind = "TPU v5 lite" if k.cores == 1 else "TPU v4"
    device = jax.sharding.AbstractDevice(device_kind=kind, num_cores=k.cores)
    with jax.sharding.use_abstract_mesh(jax.sharding.AbstractMesh((1,), ("d",), abstract_device=device)):
        jax.jit(k.fn).trace(*inputs).lower(lowering_platforms=("tpu",))
    assert len(own._bodies) == 1, f"{len(own._bodies)} kernels"
    return own._bodies[0]


def _tags(path):
    lines = pathlib.Path(path).read_text().splitlines()
    found_tags = {}
    for n, line in enumerate(lines, 1):
        if m := re.search(r"#@ (\S+)\s*$", line):
            assert m.group(1) not in found_tags, m.group(1)
            found_tags["@" + m.group(1)] = f"{os.path.basename(path)}:{n}"
    return found_tags


def _placed(value, tags):
    if isinstance(value, dict):
        return {k: _placed(v, tags) for k, v in value.items()}
    if isinstance(value, list):
        return [_placed(v, tags) for v in value]
    return tags[value] if isinstance(value, str) and value.startswith("@") else value


def case(name, what, kernel, inputs, outputs, *findings):
    """`outputs`: the right ones; of a faulty kernel those that it is meant to give, which are not kept."""
    if own.ONLY and name not in own.ONLY:
        return
    path = sys._getframe(1).f_globals["__file__"]
    inputs, outputs = [np.asarray(a) for a in inputs], [np.asarray(a) for a in outputs]
    folder = own.OUT / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "kernel.mlirbc").write_bytes(_lowered(kernel, [jnp.asarray(a) for a in inputs]))
    for k, a in enumerate(inputs):
        own._save(folder / f"in{k}.npy", a)
    operands, aliases = [own._operand(a, f"in{k}.npy") for k, a in enumerate(inputs)], dict(kernel.aliases)
    results = [own._operand(a, f"out{k}.npy") for k, a in enumerate(outputs)]
    for k, a in enumerate(outputs):
        if not findings:
            own._save(folder / f"out{k}.npy", a)
        else:
            del results[k]["file"]
        if kernel.meshed:
            aliases[len(operands)] = k
            operands.append({**{x: results[k][x] for x in ("dtype", "shape")}, "unwritten": True})
    record = {
        "name": name,
        "what": what,
        "origin": "own",
        "jax": jax.__version__,
        "chip": "TPU v5 lite" if kernel.cores == 1 else "TPU v4",
        "cores": kernel.cores,
        "scalar_prefetch": kernel.prefetch,
        "aliases": {str(i): o for i, o in aliases.items()},
        "inputs": operands,
        "outputs": results,
        "tolerance": {"rtol": 0.0, "atol": 0.0},
        "verdict": "faulty" if findings else "clean",
        "findings": _placed(list(findings), _tags(path)),
        **({"devices": kernel.devices} if kernel.devices else {}),
    }
    (folder / "case.json").write_text(json.dumps(record, indent=1) + "\n")
    own.COUNT["written"] += 1
