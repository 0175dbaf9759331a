# SPDX-License-Identifier: Apache-2.0
# The kernels behind the StableHLO texts beside this file, as JAX 0.9.2 on a CPU exports them: python kernels.py
import pathlib

import jax
import jax.numpy as jnp
from jax.experimental import pallas as pl

jax.config.update("jax_hlo_source_file_canonicalization_regex", r"^.*/")
jax.config.update("jax_include_full_tracebacks_in_locations", False)


def scale(x_ref, o_ref):
    o_ref[...] = x_ref[...] * 2.0


def accumulate(x_ref, y_ref, o_ref):
    o_ref[...] = y_ref[...] + x_ref[...]


def blocks():
    return pl.BlockSpec((8, 128), lambda i: (i, 0))


def call(body, grid, inputs, name, **more):
    return pl.pallas_call(body, grid=grid, in_specs=[blocks()] * inputs, out_specs=blocks(),
                          out_shape=jax.ShapeDtypeStruct((24, 128), jnp.float32), name=name, **more)


def two(x, y):
    return call(accumulate, (3,), 2, "accumulate", input_output_aliases={1: 0})(call(scale, (3,), 1, "scale")(x), y)


def dynamic(n, x):
    return call(scale, (n,), 1, "dynamic", input_output_aliases={0: 0})(x)


S = jax.ShapeDtypeStruct
matrix = S((24, 128), jnp.float32)
mesh = jax.sharding.AbstractMesh(
    (1,), ("d",), abstract_device=jax.sharding.AbstractDevice(device_kind="TPU v5 lite", num_cores=1))
here = pathlib.Path(__file__).parent
(here / "two.mlir").write_text(str(jax.export.export(jax.jit(two), platforms=["tpu"])(matrix, matrix).mlir_module()))
with jax.sharding.use_abstract_mesh(mesh):
    lowered = jax.jit(two).trace(matrix, matrix).lower(lowering_platforms=("tpu",))
    (here / "two_generic.mlir").write_text(lowered.compiler_ir().operation.get_asm(print_generic_op_form=True))
    lowered = jax.jit(dynamic).trace(S((), jnp.int32), matrix).lower(lowering_platforms=("tpu",))
    (here / "dynamic.mlir").write_text(lowered.as_text())
