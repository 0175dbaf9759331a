# SPDX-License-Identifier: Apache-2.0
"""Corners: nesting, large modules, ragged edges, four-bit data, casts of references, scalar arithmetic at its ends."""

from own import *

VS = B(memory_space=VMEM)
r = rng(50)
SM = whole_smem


def pre(kern, n, grid, ins, outs, oshape, scr=(), **kw):
    return pl.pallas_call(
        kern,
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=n, grid=grid, in_specs=ins, out_specs=outs, scratch_shapes=list(scr)
        ),
        out_shape=oshape,
        **kw,
    )


def call(k, ins, outs, oshape, scr=(), **kw):
    return pl.pallas_call(k, in_specs=ins, out_specs=outs, out_shape=oshape, scratch_shapes=list(scr), **kw)


x = r.normal(size=(32, 256)).astype(np.float32)


def bigscal(n, o):
    s = n[0]
    for i in range(1200):
        s = lax.select(s > 1000, s - n[i % 8] * 3, s + n[(i * 3) % 8] + i)
        o[i % 16] = s


ns = r.integers(1, 50, 8).astype(np.int32)


def bigscalref():
    s = int(ns[0])
    o = np.zeros(16, np.int32)
    for i in range(1200):
        s = s - int(ns[i % 8]) * 3 if s > 1000 else s + int(ns[(i * 3) % 8]) + i
        o[i % 16] = s
    return [o]


K("big_scalar_module", call(bigscal, [SM()], SM(), SDS((16,), i32)), [ns], bigscalref)


# nesting depth 30 of pl.when, loops
def nest(n, o):
    o[0] = 0

    def rec(d):
        if d == 0:
            o[0] = o[0] + 1
            return

        @pl.when(n[d % 4] >= 0)
        def _():
            rec(d - 1)

    def loops(d, acc):
        if d == 0:
            return acc + 1
        return lax.fori_loop(0, 1 + (d % 8 == 0), lambda i, a: loops(d - 1, a + i), acc)

    rec(30)
    o[1] = loops(30, n[0])


def lref(d, a):
    if d == 0:
        return a + 1
    for i in range(1 + (d % 8 == 0)):
        a = lref(d - 1, a + i)
    return a


K(
    "nesting_depth_30",
    call(nest, [SM()], SM(), SDS((2,), i32)),
    [ns],
    [np.array([1, lref(30, int(ns[0]))], np.int32)],
)


# ragged copies in flight, summed wait by view of total size, two dims
def rag(n, off, x, o, buf, sem):
    tot = jnp.int32(0)

    def st(i, t):
        L = n[i]
        AC(x.at[i, pl.ds(0, L)], buf.at[pl.ds(off[i], L)], sem).start()
        return t + L

    tot = lax.fori_loop(0, 4, st, jnp.int32(0))
    AC(buf.at[pl.ds(0, tot)], buf.at[pl.ds(0, tot)], sem).wait()
    rows = lax.broadcasted_iota(i32, (32, 128), 0)
    o[...] = jnp.where(rows < tot, buf[...], -1.0)


xr = r.normal(size=(4, 16, 128)).astype(np.float32)
for nm, L in (("a", [3, 0, 16, 5]), ("zero", [0, 0, 0, 0]), ("one", [0, 0, 0, 1])):
    off = np.concatenate([[0], np.cumsum(L)[:-1]]).astype(np.int32)
    rf = np.full((32, 128), -1, np.float32)
    t = 0
    for i, l in enumerate(L):
        rf[t : t + l] = xr[i, :l]
        t += l
    K(
        f"ragged_concat_{nm}",
        pre(
            rag,
            2,
            (1,),
            [whole_any()],
            B((32, 128), lambda i, *_: (0, 0)),
            SDS((32, 128), f32),
            [VMEM((32, 128), f32), DMA],
        ),
        [np.array(L, np.int32), off, xr],
        [rf],
        prefetch=2,
    )
i32x = r.integers(-20, 20, (64, 128)).astype(np.int32)
K(
    "i4_out",
    one(lambda x, o: o.__setitem__(..., x[...].astype(jnp.int4)), ((64, 128), jnp.int4)),
    [i32x],
    [i32x.astype(ml_dtypes.int4)],
)
u4 = r.integers(0, 16, (64, 128)).astype(ml_dtypes.uint4)
K(
    "u4_in",
    one(lambda x, o: o.__setitem__(..., x[...].astype(i32)), ((64, 128), i32)),
    [u4],
    [u4.astype(np.int32)],
)
xb = r.normal(size=(4, 32, 128)).astype(NB)


def rb(x, o, v, s):
    y = x.reshape(128, 128).bitcast(i32)
    c = AC(y.at[pl.ds(16, 16)], v.at[0], s)
    c.start()
    c.wait()
    o[...] = v.at[0].bitcast(bf16)[...]


K(
    "reshape_bitcast_dma_back",
    call(rb, [whole_any()], VS, SDS((32, 128), bf16), [VMEM((1, 16, 128), i32), DMA]),
    [xb],
    [xb[1]],
)


def bst(x, o):
    o.bitcast(i32)[...] = x[...]


xi = r.integers(-(2**31), 2**31, (16, 128)).astype(np.int32)
K(
    "bitcast_ref_store",
    one(bst, ((32, 128), bf16)),
    [xi & 0x3FFF3FFF],
    [
        np.stack(
            [
                ((xi & 0x3FFF3FFF).view(np.uint32) & 0xFFFF).astype(np.uint16),
                ((xi & 0x3FFF3FFF).view(np.uint32) >> 16).astype(np.uint16),
            ],
            1,
        )
        .reshape(32, 128)
        .view(NB)
    ],
)


# alias with windows in place; partial writes
def ipl(x, o):
    o[...] = x[...] + 1


K(
    "alias_window_partial",
    pl.pallas_call(
        ipl,
        grid=(2,),
        in_specs=[B((8, 256), lambda i: (2 * i, 0))],
        out_specs=B((8, 256), lambda i: (2 * i, 0)),
        out_shape=SDS((32, 256), f32),
        input_output_aliases={0: 0},
    ),
    [x],
    [np.where((np.arange(32) // 8 % 2 == 0)[:, None], x + 1, x).astype(np.float32)],
    aliases={"0": 0},
)


# fori with dynamic bounds incl. negative trip counts, step loops
def fl(n, o):
    for k in range(4):
        o[k] = lax.fori_loop(n[k], n[k + 1], lambda i, a: a * 3 + i, jnp.int32(1))


def flr(n):
    out = []
    for k in range(4):
        a = 1
        for i in range(n[k], n[k + 1]):
            a = a * 3 + i
        out.append(((a + 2**31) % 2**32) - 2**31)
    return np.array(out, np.int32)


nn = [5, 2, 30, 30, 33]
K("fori_dyn_bounds", call(fl, [SM()], SM(), SDS((4,), i32)), [np.array(nn, np.int32)], [flr(nn)])


# scalars: int corner ops in SMEM
def sc(a, b, o):
    p, q = a[0], b[0]
    v = [
        p + q,
        p - q,
        p * q,
        p & q,
        p | q,
        p ^ q,
        ~p,
        -p,
        lax.shift_left(p, jnp.int32(5)),
        lax.shift_right_arithmetic(p, jnp.int32(3)),
        lax.shift_right_logical(p, jnp.int32(3)),
        lax.div(p, q),
        lax.rem(p, q),
        p // q,
        p % q,
        jnp.abs(p),
        jnp.sign(p),
        jnp.maximum(p, q),
        jnp.minimum(p, q),
        (p < q).astype(i32),
        lax.clamp(jnp.int32(-5), p, jnp.int32(9)),
        lax.integer_pow(p, 3),
        lax.bitcast_convert_type(lax.bitcast_convert_type(p, f32) * 1.0, i32) if 0 else p,
    ]
    for i, t in enumerate(v):
        o[i] = t


for k, (p, q) in enumerate([(-2147483648, 7), (2147483647, -3), (-17, 5), (17, -5), (0, 1), (-1, -2147483648)]):
    P, Q = np.int32(p), np.int32(q)
    w = lambda t: int(((int(t) + 2**31) % 2**32) - 2**31)
    td = int(abs(p) // abs(q)) * (1 if (p < 0) == (q < 0) else -1)
    vals = [
        p + q,
        p - q,
        p * q,
        p & q,
        p | q,
        p ^ q,
        ~p,
        -p,
        p << 5,
        p >> 3,
        (p % 2**32) >> 3,
        td,
        p - td * q,
        p // q,
        p % q,
        abs(p),
        (p > 0) - (p < 0),
        max(p, q),
        min(p, q),
        int(p < q),
        min(max(p, -5), 9),
        p**3,
        p,
    ]
    K(
        f"scalar_int_{k}",
        call(sc, [SM(), SM()], SM(), SDS((23,), i32)),
        [np.array([p], np.int32), np.array([q], np.int32)],
        [np.array([w(t) for t in vals], np.int32)],
    )


def pipe_rag(x, o):
    def body(a, b):
        b[...] = a[...] + 1

    pltpu.emit_pipeline(
        body,
        grid=(3, 2),
        in_specs=[B((16, 128), lambda i, j: (i, j))],
        out_specs=[B((16, 128), lambda i, j: (i, j))],
    )(x, o)


for shp in ((45, 200), (33, 256), (48, 130)):
    for dt in (np.float32, NB):
        e2 = r.integers(-9, 9, shp).astype(dt)
        K(
            f"pipeline_ragged_{shp[0]}_{shp[1]}_{np.dtype(dt).name}",
            call(pipe_rag, [whole_any()], whole_any(), SDS(shp, dt)),
            [e2],
            [e2 + 1],
        )
done()
