# SPDX-License-Identifier: Apache-2.0
"""splash_attention: its masks and layouts, forward and backward."""
import dataclasses

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from harness import Case, numbers
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_kernel as kernel
from jax.experimental.pallas.ops.tpu.splash_attention import splash_attention_mask as masks

BF16 = ml_dtypes.bfloat16
BLOCKS = kernel.BlockSizes.get_default()
FUSED = dataclasses.replace(BLOCKS, block_q_dq=None, block_kv_dq=None, use_fused_bwd_kernel=True)


@dataclasses.dataclass(frozen=True)
class Setting:
  heads: int = 2
  kv_heads: int = 2  # 0: one, shared by all (multi-query attention)
  q_length: int = 256
  kv_length: int = 256
  depth: int = 128
  dtype: type = np.float32
  blocks: kernel.BlockSizes = BLOCKS
  segmented: bool = False
  soft_cap: float | None = None
  sinks: bool = False
  dynamic: bool = False


def dense(mask, setting):
  shape = (setting.q_length, setting.kv_length)
  heads = mask if isinstance(mask, list) else [mask] * setting.heads
  return np.stack([np.asarray(m[slice(0, shape[0]), slice(0, shape[1])]) for m in heads])


def made(mask, setting, save=False):
  if setting.dynamic:
    mask = jnp.asarray(dense(mask, setting))
  else:
    mask = masks.MultiHeadMask(mask if isinstance(mask, list) else [mask] * setting.heads)
  make = kernel.make_splash_mha if setting.kv_heads else kernel.make_splash_mqa
  return make(mask, block_sizes=setting.blocks, head_shards=1, q_seq_shards=1, attn_logits_soft_cap=setting.soft_cap,
              save_residuals=save)


def inputs(setting):
  s, kv = setting, (setting.kv_heads,) if setting.kv_heads else ()
  q = numbers(s.heads, s.q_length, s.depth, seed=1, dtype=s.dtype, scale=s.depth ** -0.5)
  k = numbers(*kv, s.kv_length, s.depth, seed=2, dtype=s.dtype)
  v = numbers(*kv, s.kv_length, s.depth, seed=3, dtype=s.dtype)
  ids = None
  if s.segmented:
    of = lambda n: (np.arange(n) * 3 // n).astype(np.int32)
    ids = kernel.SegmentIds(of(s.q_length), of(s.kv_length))
  sinks = numbers(s.heads, seed=4) if s.sinks else None
  return q, k, v, ids, sinks


def attention(mask, setting):
  """Plain attention in f32, differentiable."""
  allowed = dense(mask, setting)

  def attend(q, k, v, ids, sinks):
    f32 = lambda x: jnp.asarray(x, jnp.float32)
    share = setting.heads // (setting.kv_heads or 1)
    spread = lambda x: jnp.repeat(f32(x).reshape(-1, *x.shape[-2:]), share, axis=0)
    logits = jnp.einsum("hsd,htd->hst", f32(q), spread(k))
    if setting.soft_cap:
      logits = setting.soft_cap * jnp.tanh(logits / setting.soft_cap)
    seen = allowed if ids is None else allowed & (ids.q[:, None] == ids.kv[None, :])
    logits = jnp.where(seen, logits, kernel.DEFAULT_MASK_VALUE)
    if sinks is not None:
      logits = jnp.concatenate([logits, jnp.broadcast_to(f32(sinks)[:, None, None], (*logits.shape[:2], 1))], -1)
    weights = jax.nn.softmax(logits, -1)[..., : setting.kv_length]
    return jnp.einsum("hst,htd->hsd", weights, spread(v)).astype(q.dtype)

  return attend


def forward(name, mask, tolerance=1e-5, precision="highest", **changes):
  setting = Setting(**changes)
  fn = lambda q, k, v, ids, sinks: made(mask, setting)(q, k, v, ids, sinks)
  return Case(f"splash/{name}", jax.jit(fn), jax.jit(attention(mask, setting)), inputs(setting), tolerance, precision)


def backward(name, mask, tolerance=1e-5, precision="highest", **changes):
  setting = Setting(**changes)
  q, *_ = args = inputs(setting)
  pulled = numbers(*q.shape, seed=5, dtype=setting.dtype)

  def both(attend):
    def run(q, k, v, ids, sinks):
      out, pull = jax.vjp(lambda q, k, v: attend(q, k, v, ids, sinks), q, k, v)
      return (out, *pull(pulled))
    return jax.jit(run)

  fn = both(lambda *args: made(mask, setting)(*args))
  kernels = 2 if setting.blocks.use_fused_bwd_kernel else 3
  return Case(f"splash/{name}", fn, both(attention(mask, setting)), args, tolerance, precision, kernels)


def checkered(n):
  mask = np.random.default_rng(9).random((n, n)) < 0.3
  return masks.NumpyMask(mask | np.eye(n, dtype=bool))


def cases():
  shape = (256, 256)
  causal, full = masks.CausalMask(shape), masks.FullMask(shape)
  local = masks.LocalMask(shape, (60, 10), 0)
  yield forward("causal", causal)
  yield forward("causal_default_precision", causal, 1e-2, None)
  yield forward("full", full)
  yield forward("local", local)
  yield forward("local_long", masks.LocalMask((512, 512), (100, 0), 0), q_length=512, kv_length=512)
  yield forward("chunked", masks.ChunkedCausalMask(shape, 96))
  yield forward("numpy", checkered(256))
  yield forward("dynamic", checkered(256), dynamic=True)
  yield forward("unlike_heads", [causal, local])
  yield forward("either", causal | local)
  yield forward("both", causal & local)
  yield forward("mqa", causal, heads=3, kv_heads=0)
  yield forward("grouped_heads", causal, heads=4, kv_heads=2)
  yield forward("depth_64", causal, depth=64)
  yield forward("depth_256", causal, depth=256)
  yield forward("more_keys", masks.CausalMask((128, 384), 256), q_length=128, kv_length=384)
  yield forward("segments", causal, segmented=True)
  yield forward("soft_cap", causal, soft_cap=5.0)
  yield forward("sinks", causal, sinks=True)
  yield forward("bf16", causal, 1e-2, None, dtype=BF16)
  yield forward("f16", causal, 4e-3, None, dtype=np.float16)
  layouts = {f"{side}_layout": kernel.QKVLayout.SEQ_MINOR for side in "qkv"}
  yield forward("sequence_minor", causal, blocks=dataclasses.replace(BLOCKS, **layouts))
  two = dataclasses.replace(BLOCKS, block_kv=256, block_kv_compute=128)
  yield forward("two_in_a_block", causal, blocks=two)
  yield backward("backward", causal)
  yield backward("backward_fused", causal, blocks=FUSED)
  yield backward("backward_local", local)
  yield backward("backward_numpy", checkered(256))
  yield backward("backward_dynamic", checkered(256), dynamic=True)
  yield backward("backward_grouped_heads", causal, heads=4, kv_heads=2)
  yield backward("backward_mqa", causal, heads=2, kv_heads=0)
  yield backward("backward_segments", full, segmented=True)
  yield backward("backward_soft_cap", causal, soft_cap=5.0)
  yield backward("backward_sinks", causal, sinks=True)
  yield backward("backward_bf16", causal, 1e-2, None, dtype=BF16)
