# SPDX-License-Identifier: Apache-2.0
"""paged_attention and ragged_paged_attention: keys and values in pages that a table names."""
import functools

import jax.numpy as jnp
import ml_dtypes
import numpy as np
from harness import Case, as_bf16, integers, numbers
from jax.experimental.pallas.ops.tpu.paged_attention import paged_attention_kernel as paged
from jax.experimental.pallas.ops.tpu.paged_attention import quantization_utils
from jax.experimental.pallas.ops.tpu.ragged_paged_attention import kernel as ragged

BF16 = ml_dtypes.bfloat16


def softmax(x):
  e = np.exp(x - x.max(-1, keepdims=True))
  return e / e.sum(-1, keepdims=True)


def plain(q, k, v, lengths, table, soft_cap=None):
  """One query a sequence. The kernel rounds all keys and values to bf16."""
  heads, depth = k.shape[0], q.shape[-1]
  out = np.zeros(q.shape, np.float64)
  for b, length in enumerate(lengths):
    if length == 0:
      continue
    keys, values = (as_bf16(p)[:, table[b]].reshape(heads, -1, depth)[:, :length] for p in (k, v))
    logits = np.einsum("hgd,htd->hgt", q[b].reshape(heads, -1, depth).astype(np.float64), keys)
    if soft_cap:
      logits = soft_cap * np.tanh(logits / soft_cap)
    out[b] = np.einsum("hgt,htd->hgd", softmax(logits), values).reshape(q.shape[1:])
  return out[lengths > 0].astype(q.dtype)


def ragged_plain(q, kv, kv_lengths, table, starts, count, sm_scale, soft_cap=None, sliding_window=None, k_scale=1.0,
                 v_scale=1.0):
  """Sequence after sequence; its last query sees all its keys, the one before all but the last, and so on."""
  kv_heads, depth = kv.shape[2] // 2, q.shape[-1]
  out = []
  for i in range(count[0]):
    queries = q[starts[i]:starts[i + 1]].astype(np.float64).reshape(-1, kv_heads, q.shape[1] // kv_heads, depth)
    rows = kv[table[i]].astype(np.float64).reshape(-1, kv_heads, 2, depth)[: kv_lengths[i]]
    logits = np.einsum("qhgd,thd->hgqt", queries, rows[:, :, 0] * k_scale) * sm_scale
    if soft_cap:
      logits = soft_cap * np.tanh(logits / soft_cap)
    behind = (kv_lengths[i] - len(queries) + np.arange(len(queries)))[:, None] - np.arange(kv_lengths[i])
    seen = (behind >= 0) & (behind < (sliding_window or np.inf))
    weights = softmax(np.where(seen, logits, -np.inf))
    out.append(np.einsum("hgqt,thd->qhgd", weights, rows[:, :, 1] * v_scale).reshape(len(queries), -1, depth))
  return np.concatenate(out).astype(q.dtype)


def paged_case(name, batch, heads, kv_heads, lengths, tolerance=1e-5, depth=128, page=16, per_sequence=8, per_block=4,
               dtype=np.float32, precision="highest", quantized=False, expects="ok", **options):
  pages = batch * per_sequence
  q = numbers(batch, heads, depth, seed=1, dtype=dtype, scale=depth ** -0.5)
  k, v = (numbers(kv_heads, pages, page, depth, seed=s, dtype=dtype) for s in (2, 3))
  table = np.random.default_rng(4).permutation(pages).reshape(batch, per_sequence).astype(np.int32)
  lengths = np.array(lengths, np.int32)
  attend = functools.partial(paged.paged_attention, pages_per_compute_block=per_block, **options)
  fn = lambda q, k, v, lengths, table: attend(q, k, v, lengths, table)[lengths > 0]  # other rows nobody writes
  right = functools.partial(plain, soft_cap=options.get("attn_logits_soft_cap"))
  if quantized:
    fn, right = through_int8(fn, right)
  return Case(f"paged/{name}", fn, right, (q, k, v, lengths, table), tolerance, precision, expects=expects)


def through_int8(fn, right):
  packed = lambda x: quantization_utils.quantize_to_int8(jnp.asarray(x, jnp.float32))
  there_and_back = lambda x: np.asarray(quantization_utils.unquantize_from_int8(packed(x), jnp.float32))
  return (lambda q, k, v, lengths, table: fn(q, packed(k), packed(v), lengths, table),
          lambda q, k, v, lengths, table: right(q, there_and_back(k), there_and_back(v), lengths, table))


def ragged_case(name, lengths, heads, kv_heads, tolerance=1e-5, depth=128, page=16, pages=40, per_sequence=8,
                tokens=64, most=4, dtype=np.float32, kv_dtype=None, precision="highest", per_block=4, queries=16,
                **options):
  """lengths: (queries, keys) of each sequence; `most` sequences at most, `tokens` query rows, some of them unused."""
  q_lengths, kv_lengths = zip(*lengths)
  used, n = sum(q_lengths), len(lengths)
  q = numbers(tokens, heads, depth, seed=1, dtype=dtype)
  kv_dtype = kv_dtype or dtype
  made = integers if np.dtype(kv_dtype) == np.int8 else numbers
  kv = made(pages, page, 2 * kv_heads, depth, seed=2, dtype=kv_dtype)
  padded = lambda values, fill: np.array([*values, *[fill] * (most - n)], np.int32)
  table = np.random.default_rng(3).integers(0, pages, (most, per_sequence)).astype(np.int32)
  starts = padded(np.cumsum(q_lengths), used)
  starts = np.concatenate([[0], starts]).astype(np.int32)
  args = (q, kv, padded(kv_lengths, 0), table, starts, np.array([n], np.int32))
  options.setdefault("sm_scale", depth ** -0.5)
  call = functools.partial(ragged.ragged_paged_attention, num_kv_pages_per_block=per_block,
                           num_queries_per_block=queries, **options)
  fn = lambda *args: call(*args)[:used]
  right = functools.partial(ragged_plain, **options)
  return Case(f"ragged/{name}", fn, right, args, tolerance, precision)


def cases():
  some = [1, 128, 37]
  yield paged_case("groups_of_8", 3, 16, 2, some)
  yield paged_case("default_precision", 3, 16, 2, some, 1e-2, precision=None)
  yield paged_case("groups_of_4", 3, 8, 2, some)
  yield paged_case("one_head_each", 3, 4, 4, some)
  yield paged_case("empty_sequences", 4, 8, 1, [16, 0, 0, 127])
  yield paged_case("grid_over_pages", 3, 16, 2, some, inline_seq_dim=False)
  yield paged_case("soft_cap", 3, 16, 2, some, attn_logits_soft_cap=2.0)
  yield paged_case("depth_256", 2, 8, 1, [100, 3], depth=256)
  yield paged_case("large_pages", 2, 8, 1, [250, 33], page=64, per_sequence=4, per_block=2)
  yield paged_case("bf16", 3, 16, 2, some, 1e-2, dtype=BF16, precision=None)
  yield paged_case("bf16_groups_of_2", 3, 4, 2, some, 1e-2, dtype=BF16, precision=None)
  yield paged_case("int8", 3, 16, 2, some, 5e-3, quantized=True, precision=None)
  # Written for two cores that walk the grid side by side; on one core, its comment says, the kernel may hang.
  yield paged_case("megacore_batch", 4, 8, 1, [16, 1, 64, 127], megacore_mode="batch", expects="deadlock")
  yield paged_case("megacore_kv_head", 3, 16, 2, some, megacore_mode="kv_head", expects="deadlock")
  mixed = [(5, 18), (1, 90), (30, 47)]
  yield ragged_case("mixed", mixed, 8, 2)
  yield ragged_case("decode_only", [(1, 1), (1, 128), (1, 33), (1, 16)], 8, 2)
  yield ragged_case("prefill_only", [(64, 64)], 4, 4)
  yield ragged_case("sliding_window", mixed, 8, 2, sliding_window=20)
  yield ragged_case("soft_cap", mixed, 8, 2, soft_cap=3.0)
  yield ragged_case("one_kv_head", mixed, 4, 1)
  yield ragged_case("bf16", mixed, 8, 2, 1e-2, dtype=BF16, precision=None)
  yield ragged_case("bf16_many_heads", mixed, 32, 8, 1e-2, dtype=BF16, precision=None)
  yield ragged_case("int8_pages", mixed, 8, 4, 1e-2, dtype=BF16, kv_dtype=np.int8, precision=None, k_scale=0.02,
                    v_scale=0.02)
