# SPDX-License-Identifier: Apache-2.0
"""flash_attention, forward and backward."""
import functools

import jax
import ml_dtypes
import numpy as np
from harness import Case, numbers
from jax.experimental.pallas.ops.tpu import flash_attention as flash

BF16 = ml_dtypes.bfloat16


def sizes(block_b=1, q=128, k_major=128, k=128, backward=True):
  forward = dict(block_b=block_b, block_q=q, block_k_major=k_major, block_k=k)
  if not backward:
    return flash.BlockSizes(**forward)
  return flash.BlockSizes(**forward, block_q_major_dkv=q, block_k_major_dkv=k_major, block_k_dkv=k, block_q_dkv=q,
                          block_k_major_dq=k_major, block_k_dq=k, block_q_dq=q)


def segments(batch, q_length, kv_length):
  """Three segments of unlike lengths; every query has a key of its own segment."""
  ids = lambda n: np.broadcast_to(np.minimum(np.arange(n) * 5 // n // 2, 2).astype(np.int32), (batch, n))
  return flash.SegmentIds(ids(q_length), ids(kv_length))


def inputs(batch, heads, q_length, kv_length, depth, dtype, bias, segmented):
  q = numbers(batch, heads, q_length, depth, seed=1, dtype=dtype)
  k = numbers(batch, heads, kv_length, depth, seed=2, dtype=dtype)
  v = numbers(batch, heads, kv_length, depth, seed=3, dtype=dtype)
  ab = numbers(batch, heads, q_length, kv_length, seed=4) if bias else None
  return q, k, v, ab, segments(batch, q_length, kv_length) if segmented else None


def reference(q, k, v, ab, ids, causal, scale):
  f32 = lambda x: None if x is None else x.astype(np.float32)
  out = flash.mha_reference_no_custom_vjp(f32(q), f32(k), f32(v), ab, ids, causal=causal, sm_scale=scale)
  return out.astype(q.dtype)


def forward(name, batch, heads, q_length, kv_length, depth, blocks, tolerance, dtype=np.float32, precision="highest",
            causal=False, scale=1.0, bias=False, segmented=False):
  args = inputs(batch, heads, q_length, kv_length, depth, dtype, bias, segmented)
  fn = functools.partial(flash.flash_attention, causal=causal, sm_scale=scale, block_sizes=blocks)
  right = functools.partial(reference, causal=causal, scale=scale)
  return Case(f"flash/{name}", fn, right, args, tolerance, precision)


def backward(name, batch, heads, q_length, kv_length, depth, blocks, tolerance, dtype=np.float32, precision="highest",
             causal=False, scale=1.0, bias=False, segmented=False):
  args = inputs(batch, heads, q_length, kv_length, depth, dtype, bias, segmented)
  pulled = numbers(batch, heads, q_length, depth, seed=5, dtype=dtype)
  flow = lambda q, k, v, ab, ids, attend: (
      jax.vjp(lambda q, k, v, ab: attend(q, k, v, ab, ids), q, k, v, ab) if bias
      else jax.vjp(lambda q, k, v: attend(q, k, v, None, ids), q, k, v))

  def both(attend, *args):
    out, pull = flow(*args, attend)
    return (out, *pull(pulled))

  fn = functools.partial(flash.flash_attention, causal=causal, sm_scale=scale, block_sizes=blocks)
  right = functools.partial(reference, causal=causal, scale=scale)
  return Case(f"flash/{name}", functools.partial(both, fn), functools.partial(both, right), args, tolerance, precision,
              kernels=3)


def cases():
  yield forward("one_block", 1, 1, 128, 128, 128, sizes(), 1e-5)
  yield forward("causal", 1, 2, 256, 256, 128, sizes(), 1e-5, causal=True, scale=0.09)
  yield forward("causal_default_precision", 1, 2, 256, 256, 128, sizes(), 1e-2, precision=None, causal=True, scale=0.09)
  yield forward("depth_64", 2, 1, 128, 256, 64, sizes(), 1e-5, scale=0.125)
  yield forward("depth_256", 1, 1, 128, 256, 256, sizes(), 1e-5, scale=0.0625)
  yield forward("batch_in_block", 4, 1, 128, 128, 128, sizes(block_b=2, backward=False), 1e-5, scale=0.09)
  yield forward("several_k_in_major", 1, 1, 128, 512, 128, sizes(k_major=256, backward=False), 1e-5, scale=0.09)
  yield forward("short_queries", 1, 1, 8, 256, 128, sizes(q=8, backward=False), 1e-5, scale=0.09)
  yield forward("bias", 1, 2, 128, 256, 128, sizes(), 1e-5, scale=0.09, bias=True)
  yield forward("segments", 2, 1, 256, 256, 128, sizes(), 1e-5, scale=0.09, segmented=True)
  yield forward("all_at_once", 1, 2, 256, 256, 128, sizes(), 1e-5, causal=True, scale=0.09, bias=True, segmented=True)
  yield forward("bf16", 1, 2, 256, 256, 128, sizes(), 1e-2, dtype=BF16, precision=None, causal=True, scale=0.09)
  yield forward("f16", 1, 1, 128, 256, 128, sizes(), 4e-3, dtype=np.float16, precision=None, scale=0.09)
  yield backward("backward", 1, 1, 256, 256, 128, sizes(), 1e-5, scale=0.09)
  yield backward("backward_causal", 1, 2, 256, 256, 128, sizes(), 1e-5, causal=True, scale=0.09)
  yield backward("backward_segments", 2, 1, 256, 256, 128, sizes(), 1e-5, scale=0.09, segmented=True)
  yield backward("backward_bias", 1, 1, 128, 256, 128, sizes(), 1e-5, scale=1.0, bias=True)
  yield backward("backward_bf16", 1, 1, 256, 256, 128, sizes(), 1e-2, dtype=BF16, precision=None, causal=True,
                 scale=0.09)
