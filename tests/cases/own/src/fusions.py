# SPDX-License-Identifier: Apache-2.0
"""Norms, scans, sorts and gathers as one kernel each."""

from own import *

r = rng(40)


def pre(kern, n, grid, ins, outs, oshape, scr=(), **kw):
    return pl.pallas_call(
        kern,
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=n, grid=grid, in_specs=ins, out_specs=outs, scratch_shapes=list(scr)
        ),
        out_shape=oshape,
        **kw,
    )


# norms & rope & swiglu
x = r.normal(size=(16, 256)).astype(np.float32)
w = r.normal(size=(1, 256)).astype(np.float32)


def rms(x, w, o):
    v = x[...].astype(f32)
    o[...] = (v * lax.rsqrt(jnp.mean(v * v, axis=-1, keepdims=True) + 1e-6) * w[...]).astype(o.dtype)


xb = x.astype(NB)
refb = f64(xb) / np.sqrt((f64(xb) ** 2).mean(-1, keepdims=True) + 1e-6) * w
K("rmsnorm_bf16", one(rms, ((16, 256), bf16)), [xb, w], [refb.astype(NB)], (8e-3, 1e-6))
b = r.normal(size=(1, 256)).astype(np.float32)
ang = r.random((16, 128))
c, s = np.cos(ang).astype(np.float32), np.sin(ang).astype(np.float32)
xs_ = (r.normal(size=(16, 64)) * 0.3).astype(NB)
wg, wu = [(r.normal(size=(64, 256)) * 0.2).astype(NB) for _ in range(2)]
g = f64(xs_) @ f64(wg)
u = f64(xs_) @ f64(wu)
h = (g / (1 + np.exp(-g)) * u).astype(NB)


# bitonic sort along lanes with key/val
def bit(x, o, oi):
    n = 128
    v = x[...]
    idx = lax.broadcasted_iota(i32, v.shape, 1)
    lane = idx
    iv = idx
    k = 2
    while k <= n:
        j = k // 2
        while j >= 1:
            left = pltpu.roll(v, n - j, 1)
            right = pltpu.roll(v, j, 1)
            il = pltpu.roll(iv, n - j, 1)
            ir = pltpu.roll(iv, j, 1)
            low = (lane & j) == 0
            pv = jnp.where(low, left, right)
            pi = jnp.where(low, il, ir)
            up = (lane & k) == 0
            wantmin = low == up
            less = jnp.logical_or(v < pv, jnp.logical_and(v == pv, iv < pi))
            take = wantmin == less
            v = jnp.where(take, v, pv)
            iv = jnp.where(take, iv, pi)
            j //= 2
        k *= 2
    o[...] = v
    oi[...] = iv


xs2 = r.integers(0, 40, (8, 128)).astype(np.float32)
oi = np.argsort(xs2, 1, kind="stable").astype(np.int32)
K("bitonic_sort_kv", one(bit, ((8, 128), f32), ((8, 128), i32)), [xs2], [np.take_along_axis(xs2, oi, 1), oi])


# top-k by loop
def topk(x, o, oi):
    lane = lax.broadcasted_iota(i32, x.shape, 1)

    def it(k, c):
        v, vo, io = c
        m = jnp.max(v, axis=1, keepdims=True)
        am = jnp.min(jnp.where(v == m, lane, 9999), axis=1, keepdims=True)
        sel = lax.broadcasted_iota(i32, vo.shape, 1) == k
        return jnp.where(lane == am, -jnp.inf, v), jnp.where(sel, m, vo), jnp.where(sel, am, io)

    _, vo, io = lax.fori_loop(0, 5, it, (x[...], jnp.zeros((8, 8), f32), jnp.zeros((8, 8), i32)))
    o[...] = vo
    oi[...] = io


ti = np.argsort(-xs2, 1, kind="stable")[:, :5].astype(np.int32)
z = np.zeros((8, 8), np.float32)
zi = np.zeros((8, 8), np.int32)
z[:, :5] = np.take_along_axis(xs2, ti, 1)
zi[:, :5] = ti
K("topk_loop", one(topk, ((8, 8), f32), ((8, 8), i32)), [xs2], [z, zi])


# selection sort in smem
def isort(x, o):
    def cp(i, _):
        o[i] = x[i]
        return 0

    lax.fori_loop(0, 37, cp, 0)

    def outer(i, _):
        key = o[i]

        def c(j):
            return jnp.logical_and(j > 0, o[jnp.maximum(j - 1, 0)] > key)

        def b(j):
            o[j] = o[j - 1]
            return j - 1

        j = lax.while_loop(c, b, i)
        o[j] = key
        return 0

    lax.fori_loop(1, 37, outer, 0)


xi = r.integers(-1000, 1000, 37).astype(np.int32)
K(
    "insertion_sort_smem",
    pl.pallas_call(isort, in_specs=[whole_smem()], out_specs=whole_smem(), out_shape=SDS((37,), i32)),
    [xi],
    [np.sort(xi)],
)


# conv 1d depthwise causal, conv via im2col matmul
def conv1d(x, w, o, st):
    @pl.when(pl.program_id(0) == 0)
    def _():
        st[0:8] = jnp.zeros((8, 128), f32)

    st[8:24] = x[...]
    acc = jnp.zeros((16, 128), f32)
    for t in range(4):
        acc = acc + st[5 + t : 21 + t] * w[t : t + 1, :]
    o[...] = acc
    st[0:8] = st[16:24]


xc = r.integers(-5, 6, (64, 128)).astype(np.float32)
wc = r.integers(-3, 4, (4, 128)).astype(np.float32)
xp = np.pad(xc, ((3, 0), (0, 0)))
K(
    "conv1d_causal_state",
    pl.pallas_call(
        conv1d,
        grid=(4,),
        in_specs=[B((16, 128), lambda i: (i, 0)), B((4, 128), lambda i: (0, 0))],
        out_specs=B((16, 128), lambda i: (i, 0)),
        out_shape=SDS((64, 128), f32),
        scratch_shapes=[VMEM((24, 128), f32)],
    ),
    [xc, wc],
    [sum(xp[t : t + 64] * wc[t] for t in range(4))],
)


# SSD / mamba scan
def ssm(x, dt, A, Bm, Cm, o, h):
    @pl.when(pl.program_id(0) == 0)
    def _():
        h[...] = jnp.zeros_like(h)

    def step(t, _):
        a = jnp.exp(dt[pl.ds(t, 1), :] * A[...])  # (16,128)
        h[...] = a * h[...] + (dt[pl.ds(t, 1), :] * x[pl.ds(t, 1), :]) * jnp.broadcast_to(Bm[t][:, None], (16, 128))
        o[pl.ds(t, 1), :] = jnp.sum(h[...] * jnp.broadcast_to(Cm[t][:, None], (16, 128)), axis=0, keepdims=True)
        return 0

    lax.fori_loop(0, 8, step, 0)


T_ = 24
xx = r.normal(size=(T_, 128)).astype(np.float32)
dt = r.random((T_, 128)).astype(np.float32)
A = -r.random((16, 128)).astype(np.float32)
Bm, Cm = [r.normal(size=(T_, 16)).astype(np.float32) for _ in range(2)]
hh = np.zeros((16, 128))
ys = []
for t in range(T_):
    hh = np.exp(f64(dt[t]) * A) * hh + dt[t].astype(np.float64) * xx[t] * Bm[t][:, None]
    ys.append((hh * Cm[t][:, None]).sum(0))
K(
    "ssm_scan",
    pl.pallas_call(
        ssm,
        grid=(3,),
        in_specs=[
            B((8, 128), lambda i: (i, 0)),
            B((8, 128), lambda i: (i, 0)),
            B((16, 128), lambda i: (0, 0)),
            B((8, 16), lambda i: (i, 0)),
            B((8, 16), lambda i: (i, 0)),
        ],
        out_specs=B((8, 128), lambda i: (i, 0)),
        out_shape=SDS((T_, 128), f32),
        scratch_shapes=[VMEM((16, 128), f32)],
    ),
    [xx, dt, A, Bm, Cm],
    [np.stack(ys).astype(np.float32)],
    (1e-4, 1e-5),
)


def ssd(q, k, v, la, o, S):
    @pl.when(pl.program_id(1) == 0)
    def _():
        S[...] = jnp.zeros_like(S)

    L = 16
    lav = la[...]  # (16,1)
    tri = lax.broadcasted_iota(i32, (L, L), 0) >= lax.broadcasted_iota(i32, (L, L), 1)
    cum = jnp.dot(tri.astype(f32), jnp.broadcast_to(lav, (L, 128)), precision=HI)[:, :1]
    seg = cum - cum.T
    dec = jnp.where(tri, jnp.exp(jnp.where(tri, seg, 0.0)), 0.0)
    att = lax.dot_general(q[...], k[...], (((1,), (1,)), ((), ())), precision=HI) * dec
    y = jnp.dot(att, v[...], precision=HI) + jnp.dot(q[...] * jnp.exp(cum), S[...], precision=HI)
    last = cum[L - 1 : L, :]
    S[...] = S[...] * jnp.exp(last) + lax.dot_general(
        k[...] * jnp.exp(last - cum), v[...], (((0,), (0,)), ((), ())), precision=HI
    )
    o[...] = y


q_, k_, v_ = [(r.normal(size=(2, 48, d)) * 0.4).astype(np.float32) for d in (32, 32, 64)]
la = -(r.random((2, 48, 1))).astype(np.float32)
ys = np.zeros((2, 48, 64))
for h_ in range(2):
    S_ = np.zeros((32, 64))
    for t in range(48):
        S_ = S_ * np.exp(f64(la[h_, t, 0])) + np.outer(k_[h_, t], v_[h_, t])
        ys[h_, t] = q_[h_, t] @ S_
sp = lambda d: B((None, 16, d), lambda h, i: (h, i, 0))
K(
    "ssd_chunked",
    pl.pallas_call(
        ssd,
        grid=(2, 3),
        in_specs=[sp(32), sp(32), sp(64), sp(1)],
        out_specs=sp(64),
        out_shape=SDS((2, 48, 64), f32),
        scratch_shapes=[VMEM((32, 64), f32)],
    ),
    [q_, k_, v_, la],
    [ys.astype(np.float32)],
    (1e-4, 3e-5),
)


# embedding gather pipelined two-slot
def emb(ids, t, o, buf, sem):
    n = ids.shape[0]
    cp = lambda i, sl: AC(t.at[ids[i]], buf.at[sl], sem.at[sl])
    for p in range(3):
        cp(p, p).start()

    def st(i, _):
        sl = lax.rem(i, 4)

        @pl.when(i + 3 < n)
        def _():
            cp(i + 3, lax.rem(i + 3, 4)).start()

        cp(i, sl).wait()
        o[i] = buf[sl] * 2
        return 0

    lax.fori_loop(0, n, st, 0)


tab = r.normal(size=(50, 1, 128)).astype(np.float32)
ids = r.integers(0, 50, 21).astype(np.int32)
K(
    "embedding_4slot",
    pre(
        emb,
        1,
        (1,),
        [whole_any()],
        B((21, 1, 128), lambda i, *_: (0, 0, 0)),
        SDS((21, 1, 128), f32),
        [VMEM((4, 1, 128), f32), DMA((4,))],
    ),
    [ids, tab],
    [tab[ids] * 2],
    prefetch=1,
)


# histogram by one-hot dot and by compare
def hist(x, o):
    @pl.when(pl.program_id(0) == 0)
    def _():
        o[...] = jnp.zeros_like(o)

    v = x[...]
    bins = lax.broadcasted_iota(i32, (64, 128), 0)

    def row(i, acc):
        return acc + (jnp.broadcast_to(x[pl.ds(i, 1), :], (64, 128)) == bins).astype(i32)

    o[...] += jnp.sum(lax.fori_loop(0, 8, row, jnp.zeros((64, 128), i32)), axis=1, keepdims=True)


hv = r.integers(0, 64, (24, 128)).astype(np.int32)
K(
    "histogram_vec",
    pl.pallas_call(
        hist,
        grid=(3,),
        in_specs=[B((8, 128), lambda i: (i, 0))],
        out_specs=B((64, 1), lambda i: (0, 0)),
        out_shape=SDS((64, 1), i32),
    ),
    [hv],
    [np.bincount(hv.ravel(), minlength=64).astype(np.int32)[:, None]],
)
E("iota_i8", lambda v: v + lax.broadcasted_iota(i8, v.shape, 1), [x.astype(np.int8)])
E("iota_i16", lambda v: v + lax.broadcasted_iota(i16, v.shape, 0), [x.astype(np.int16)])
done()
