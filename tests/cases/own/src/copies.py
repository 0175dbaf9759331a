# SPDX-License-Identifier: Apache-2.0
"""Copies by hand: gathers, scatters, one wait for many copies, aliased pairs, views in other coordinates, scalars in SMEM."""

from own import *


def pre(kern, n, grid, ins, outs, oshape, scr=(), **kw):
    return pl.pallas_call(
        kern,
        grid_spec=pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=n, grid=grid, in_specs=ins, out_specs=outs, scratch_shapes=list(scr)
        ),
        out_shape=oshape,
        **kw,
    )


VS = B(memory_space=VMEM)
r = rng(0)
# --- MoE gather / scatter by DMA, one wait for the sum of bytes -------------------
tok = r.normal(size=(40, 1, 256)).astype(np.float32)


def moe_gather(n, idx, x, o, buf, sem):
    c = n[0]

    def st(i, _):
        AC(x.at[idx[i]], buf.at[i], sem).start()
        return 0

    lax.fori_loop(0, c, st, 0)
    AC(x.at[pl.ds(0, c)], buf.at[pl.ds(0, c)], sem).wait()
    rows = lax.broadcasted_iota(i32, (16, 1, 256), 0)
    o[...] = jnp.where(rows < c, buf[...], 0.0)


for c in (11, 0, 16, 1):
    idx = r.integers(0, 40, 16).astype(np.int32)
    ref = np.where(np.arange(16)[:, None, None] < c, tok[idx], 0).astype(np.float32)
    K(
        f"moe_gather_wait_sum_{c}",
        pre(
            moe_gather,
            2,
            (1,),
            [whole_any()],
            B((16, 1, 256), lambda i, *_: (0, 0, 0)),
            SDS((16, 1, 256), f32),
            [VMEM((16, 1, 256), f32), DMA],
        ),
        [np.array([c], np.int32), idx, tok],
        [ref],
        prefetch=2,
    )


def scat(idx, x, base, o, sem):
    # results through the input half of an aliased pair
    def st(i, _):
        AC(x.at[i], base.at[idx[i]], sem.at[lax.rem(i, 3)]).start()
        return 0

    lax.fori_loop(0, 8, st, 0)

    def wt(i, _):
        AC(x.at[i], base.at[idx[i]], sem.at[lax.rem(i, 3)]).wait()
        return 0

    lax.fori_loop(0, 8, wt, 0)


perm = r.permutation(40)[:8].astype(np.int32)
xs = r.normal(size=(8, 1, 256)).astype(np.float32)
rf = tok.copy()
rf[perm] = xs
K(
    "scatter_via_input_alias",
    pre(
        scat,
        1,
        (1,),
        [whole_any(), whole_any()],
        whole_any(),
        SDS((40, 1, 256), f32),
        [DMA((3,))],
        input_output_aliases={2: 0},
    ),
    [perm, xs, tok],
    [rf],
    prefetch=1,
    aliases={"2": 0},
)


def kvupd(pos, new, cin, cout, sem):
    b = pl.program_id(0)
    cp = AC(new.at[b], cout.at[b, pl.ds(pos[b], 1)], sem)
    cp.start()
    cp.wait()


cache = r.normal(size=(4, 16, 2, 128)).astype(NB)
new = r.normal(size=(4, 1, 2, 128)).astype(NB)
pos = np.array([3, 15, 0, 7], np.int32)
rf = cache.copy()
for b in range(4):
    rf[b, pos[b]] = new[b, 0]
K(
    "kv_cache_update_dyn",
    pre(
        kvupd,
        1,
        (4,),
        [whole_any(), whole_any()],
        whole_any(),
        SDS((4, 16, 2, 128), bf16),
        [DMA],
        input_output_aliases={2: 0},
    ),
    [pos, new, cache],
    [rf],
    prefetch=1,
    aliases={"2": 0},
)


# scalars (), bool operands in SMEM
def scal(s, f, bl, x, o, os, ob):
    @pl.when(bl[0])
    def _():
        o[...] = x[...] * f[()] + s[()].astype(f32)

    @pl.when(jnp.logical_not(bl[0]))
    def _():
        o[...] = x[...]

    os[()] = s[()] * 2 + bl[2].astype(i32)
    for i in range(3):
        ob[i] = jnp.logical_not(bl[i])


x8 = r.normal(size=(8, 128)).astype(np.float32)
bl = np.array([True, False, True])
K(
    "smem_scalars_bools",
    pl.pallas_call(
        scal,
        in_specs=[whole_smem()] * 3 + [VS],
        out_specs=[VS, whole_smem(), whole_smem()],
        out_shape=[SDS((8, 128), f32), SDS((), i32), SDS((3,), bool)],
    ),
    [np.int32(5), np.float32(1.5), bl, x8],
    [(x8 * np.float32(1.5) + np.float32(5)), np.int32(11), ~bl],
)
# dynamic grid with i8 prefetch tables
tab = np.array([3, 1, 0, 2, 1, 3], np.int8)


def dyn(nt, tb, x):
    def k(t, x, o):
        o[...] = x[...] + t[pl.program_id(0)].astype(i32).astype(f32)

    return pre(
        k,
        1,
        (nt,),
        [B((8, 128), lambda i, t: (t[i].astype(i32), 0))],
        B((8, 128), lambda i, t: (i, 0)),
        SDS((48, 128), f32),
    )(tb, x)


xd = r.normal(size=(32, 128)).astype(np.float32)
K(
    "dyn_grid_i8_table",
    dyn,
    [np.int32(6), tab, xd],
    [np.concatenate([xd[t * 8 : t * 8 + 8] + np.float32(t) for t in tab])],
    prefetch=1,
    extra={"dynamic_grid_bounds": 1},
)


def indp(tab, x, o):
    def body(a, b):
        b[...] = a[...] - 1

    pltpu.emit_pipeline(
        body,
        grid=(5,),
        in_specs=[B((8, 128), lambda i: (tab[i], 0))],
        out_specs=[B((8, 128), lambda i: (i, 0))],
    )(x, o)


tb = np.array([2, 2, 0, 1, 1], np.int32)
xi_ = r.normal(size=(24, 128)).astype(np.float32)
K(
    "pipeline_indirect",
    pl.pallas_call(indp, in_specs=[whole_smem(), whole_any()], out_specs=whole_any(), out_shape=SDS((40, 128), f32)),
    [tb, xi_],
    [np.concatenate([xi_[t * 8 : t * 8 + 8] - 1 for t in tb])],
)


# run_scoped nests with results
def rs(x, o):
    def f(a, sem):
        c = AC(x.at[pl.ds(0, 8)], a, sem)
        c.start()
        c.wait()

        def g(b2):
            b2[...] = a[...] + 1

            def h(c2, ss):
                cc = AC(b2, c2, ss.at[1])
                cc.start()
                cc.wait()
                return jnp.sum(c2[...])

            return pl.run_scoped(h, VMEM((8, 128), f32), DMA((2,)))

        return pl.run_scoped(g, VMEM((8, 128), f32))

    t = pl.run_scoped(f, VMEM((8, 128), f32), DMA)
    o[0] = t


xr = r.integers(-5, 6, (16, 128)).astype(np.float32)
K(
    "run_scoped_nest",
    pl.pallas_call(rs, in_specs=[whole_any()], out_specs=whole_smem(), out_shape=SDS((1,), f32)),
    [xr],
    [np.array([(xr[:8] + 1).sum()], np.float32)],
)


# run_scoped in a loop (alloc each iteration)
def rsl(x, o):
    def it(i, _):
        def f(a, s):
            c = AC(x.at[pl.ds(i * 8, 8)], a, s)
            c.start()
            c.wait()
            a[...] = a[...] * i.astype(f32)
            d = AC(a, o.at[pl.ds(i * 8, 8)], s)
            d.start()
            d.wait()

        pl.run_scoped(f, VMEM((8, 128), f32), DMA)
        return 0

    lax.fori_loop(0, 4, it, 0)


x32 = r.normal(size=(32, 128)).astype(np.float32)
K(
    "run_scoped_loop",
    pl.pallas_call(rsl, in_specs=[whole_any()], out_specs=whole_any(), out_shape=SDS((32, 128), f32)),
    [x32],
    [np.concatenate([x32[i * 8 : i * 8 + 8] * np.float32(i) for i in range(4)])],
)
lim = np.array([7, 1, 4, 2, 5, 0, 9, 9], np.int32)
v = x8.copy()
for i in range(1, 5):
    v = v * 2 + np.float32(lim[i])
ya = r.integers(-9, 9, (8, 128)).astype(np.float32)
xa = r.integers(-9, 9, (8, 128)).astype(np.float32)
a, b = xa, ya
for i in range(7):
    a, b = b, a + np.float32(i)


# ref views
def views(x, o, s):
    # reshape of hbm ref then DMA
    xr = x.reshape(4, 16, 128)
    cs = [AC(xr.at[i, pl.ds(4 * i, 4)], o.at[i], s.at[i]) for i in range(4)]
    for c in cs:
        c.start()
    for c in cs:
        c.wait()


xv = r.normal(size=(64, 128)).astype(np.float32)
K(
    "view_reshape_dma",
    pl.pallas_call(
        views,
        in_specs=[whole_any()],
        out_specs=whole_any(),
        out_shape=SDS((4, 4, 128), f32),
        scratch_shapes=[DMA((4,))],
    ),
    [xv],
    [np.stack([xv.reshape(4, 16, 128)[i, 4 * i : 4 * i + 4] for i in range(4)])],
)
xb16 = r.normal(size=(16, 128)).astype(NB)
w = xb16.view(np.uint16).astype(np.uint32)


def viewbs(x, o):  # strided load of bf16 as packed words (paged attention style)
    w = x.bitcast(jnp.uint32).reshape(16, 128) if 0 else x.bitcast(jnp.uint32)
    s = w[0:8:2, :]
    lo = lax.bitcast_convert_type(lax.shift_left(s, jnp.uint32(16)), f32)
    hi = lax.bitcast_convert_type(s & jnp.uint32(0xFFFF0000), f32)
    o[...] = lo - hi


K(
    "strided_packed_bf16",
    one(viewbs, ((4, 128), f32)),
    [xb16],
    [xb16.astype(np.float32)[0::4] - xb16.astype(np.float32)[1::4]],
)


def mst2(x, o):
    o[...] = jnp.zeros_like(o)
    m = lax.broadcasted_iota(i32, (8, 128), 1) < 37
    pltpu.store(o.at[pl.ds(8, 8), :], x[...], mask=m)


rf = np.zeros((16, 128), np.float32)
rf[8:, :37] = x8[:, :37]
K("masked_store_partial", one(mst2, ((16, 128), f32)), [x8], [rf])
done()
