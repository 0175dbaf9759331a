# SPDX-License-Identifier: Apache-2.0
"""2 * x + y by tiles, as people write it: an emit_pipeline in a pallas_call, under JAX's own interpreter."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu


def body(x_ref, y_ref, out_ref):
  out_ref[...] = 2.0 * x_ref[...] + y_ref[...]


def axpy(x, y, block=(8, 128), buffers=2):
  grid = tuple(-(-n // b) for n, b in zip(x.shape, block))
  shape = tuple(n * b for n, b in zip(grid, block))
  padding = [(0, s - n) for s, n in zip(shape, x.shape)]
  spec = pl.BlockSpec(block, lambda i, j: (i, j), pipeline_mode=pl.Buffered(buffer_count=buffers))
  out_spec = pl.BlockSpec(block, lambda i, j: (i, j), pipeline_mode=pl.Buffered(buffer_count=2))

  def outer(x_hbm, y_hbm, out_hbm):
    pltpu.emit_pipeline(body, grid=grid, in_specs=(spec, spec), out_specs=out_spec)(x_hbm, y_hbm, out_hbm)

  whole = pl.BlockSpec(memory_space=pl.ANY)
  call = pl.pallas_call(outer, out_shape=jax.ShapeDtypeStruct(shape, x.dtype), in_specs=(whole, whole), out_specs=whole,
                        interpret=pltpu.InterpretParams(detect_races=True))
  return call(jnp.pad(x, padding), jnp.pad(y, padding))[:x.shape[0], :x.shape[1]]


def simulated(kind):
  """A layout, not a machine: JAX's interpreter asks it which TPU it plays."""
  device = jax.sharding.AbstractDevice
  more = {"platform": "tpu"} if "platform" in device.__dataclass_fields__ else {}  # from JAX 0.10 on
  mesh = jax.sharding.AbstractMesh((1,), ("simulated",), abstract_device=device(device_kind=kind, num_cores=1, **more))
  return jax.sharding.use_abstract_mesh(mesh)


def main():
  x = jnp.linspace(-1, 1, 17 * 257, dtype=jnp.float32).reshape(17, 257)
  y = jnp.full_like(x, 0.25)
  for block in [(8, 128), (16, 128), (16, 256)]:
    for buffers in (2, 3):
      np.testing.assert_allclose(axpy(x, y, block, buffers), 2 * np.asarray(x) + np.asarray(y), rtol=1e-6, atol=1e-6)
  print("backend:", jax.default_backend())
  print("endpoints:", float(axpy(x, y)[0, 0]), float(axpy(x, y)[-1, -1]))


if __name__ == "__main__":
  with simulated("TPU v5 lite"):
    main()
