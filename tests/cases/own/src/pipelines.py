# SPDX-License-Identifier: Apache-2.0
"""Index maps with control flow, pipelines with run-time grids, copies that cross grid steps, products by einsum."""

from own import *

VS = B(memory_space=VMEM)
r = rng(80)
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


x = r.integers(-9, 10, (32, 256)).astype(np.float32)
# index maps with control flow and table lookups
tab = np.array([[0, 1, 1], [1, 0, 0]], np.int32)
K(
    "map_table2d",
    pre(
        lambda t, a, o: o.__setitem__(..., a[...] * 2),
        1,
        (2, 3),
        [
            B(
                (8, 128),
                lambda i, j, t: (
                    jnp.where(t[i, j] > 0, 2 * i + 1, lax.min(i, 3)),
                    jnp.clip(t[i, lax.rem(j + 1, 3)], 0, 1),
                ),
            )
        ],
        B((None, None, 8, 128), lambda i, j, t: (i, j, 0, 0)),
        SDS((2, 3, 8, 128), f32),
    ),
    [tab, x],
    [
        np.stack(
            [
                np.stack(
                    [
                        (lambda a, b: x[a * 8 : a * 8 + 8, b * 128 : b * 128 + 128] * 2)(
                            2 * i + 1 if tab[i, j] > 0 else min(i, 3), tab[i, (j + 1) % 3]
                        )
                        for j in range(3)
                    ]
                )
                for i in range(2)
            ]
        )
    ],
    prefetch=1,
)
K(
    "out_smem_i32_window",
    pl.pallas_call(
        lambda a, o: [o.__setitem__((0, j), jnp.sum(a[:, j * 128 : (j + 1) * 128]).astype(i32)) for j in range(2)]
        and None,
        grid=(4,),
        in_specs=[B((8, 256), lambda i: (i, 0))],
        out_specs=B((None, 1, 2), lambda i: (i, 0, 0), memory_space=SMEM),
        out_shape=SDS((4, 1, 2), i32),
    ),
    [x],
    [x.reshape(4, 8, 2, 128).sum((1, 3)).astype(np.int32).reshape(4, 1, 2)],
)


# AD and vmap inside kernel
def vj(a, g, o):
    y, f = jax.vjp(lambda t: jnp.sin(t) * t, a[...])
    o[...] = f(g[...])[0]


x8 = r.normal(size=(8, 128)).astype(np.float32)
g8 = r.normal(size=(8, 128)).astype(np.float32)
K(
    "vjp_inside",
    one(vj, ((8, 128), f32)),
    [x8, g8],
    [(f64(g8) * (np.cos(f64(x8)) * x8 + np.sin(f64(x8)))).astype(np.float32)],
    (1e-5, 1e-6),
)
A3 = r.integers(-3, 4, (3, 8, 16)).astype(np.float32)
B3 = r.integers(-3, 4, (3, 16, 8)).astype(np.float32)
E(
    "einsum5",
    lambda a, b: jnp.einsum("ibk,kj->bij", a, b[0], precision=HI),
    [A3, B3],
    lambda a, b: np.einsum("ibk,kj->bij", a, b[0]),
)
E(
    "einsum_mid",
    lambda a, b: jnp.einsum("akb,kc->abc", a, b, precision=HI),
    [r.integers(-3, 4, (3, 16, 8)).astype(np.float32), r.integers(-3, 4, (16, 5)).astype(np.float32)],
)


def carr(n, a, o):  # while carrying scalar, bool, vector, index use
    def c(s):
        return jnp.logical_and(s[0] < n[0], s[2])

    def b(s):
        i, v, _ = s
        v = v + a[pl.ds(lax.rem(i, 4) * 8, 8), :]
        return i + 1, v, jnp.sum(v) < n[1].astype(f32)

    i, v, _ = lax.while_loop(c, b, (jnp.int32(0), jnp.zeros((8, 256), f32), True))
    o[...] = v


ap = np.abs(x)
v = np.zeros((8, 256), np.float32)
i = 0
go = True
while i < 9 and go:
    v = v + ap[(i % 4) * 8 : (i % 4) * 8 + 8]
    i += 1
    go = v.sum() < 30000
K("while_bool_carry", call(carr, [SM(), VS], VS, SDS((8, 256), f32)), [np.array([9, 30000], np.int32), ap], [v])


def pdyn(n, a, o):
    def body(b, ob):
        ob[...] = b[...] + 1

    @pl.when(n[0] > 0)
    def _():
        pltpu.emit_pipeline(
            body,
            grid=(n[0], n[1]),
            in_specs=[B((8, 128), lambda i, j: (i, j), pipeline_mode=pl.Buffered(3))],
            out_specs=[B((8, 128), lambda i, j: (i, j))],
        )(a, o)


for n in ((0, 2), (4, 2), (1, 1), (3, 2)):
    rf = x.copy() * 0
    y = r.normal(size=x.shape).astype(np.float32)
    rf = y.copy()
    rf[: 8 * n[0], : 128 * n[1]] = x[: 8 * n[0], : 128 * n[1]] + 1
    K(
        f"pipe_dyn_{n[0]}{n[1]}",
        call(
            lambda n, a, y, o: pdyn(n, a, o),
            [SM(), whole_any(), whole_any()],
            whole_any(),
            SDS(x.shape, f32),
            input_output_aliases={2: 0},
        ),
        [np.array(n, np.int32), x, y],
        [rf],
        aliases={"2": 0},
    )


# conditional DMA, start in one branch wait in another
def cd(n, a, o, v, s):
    def it(i, _):
        @pl.when(lax.rem(i, 2) == 0)
        def _():
            AC(a.at[pl.ds(i * 8, 8)], v.at[0], s.at[0]).start()

        @pl.when(lax.rem(i, 2) == 1)
        def _():
            AC(a.at[pl.ds(i * 8, 8)], v.at[1], s.at[1]).start()

        lax.cond(
            n[i] > 0,
            lambda: o.__setitem__((pl.ds(i * 8, 8), slice(None)), jnp.full((8, 256), n[i], f32)),
            lambda: None,
        )

        @pl.when(lax.rem(i, 2) == 0)
        def _():
            AC(a.at[pl.ds(i * 8, 8)], v.at[0], s.at[0]).wait()

        @pl.when(lax.rem(i, 2) == 1)
        def _():
            AC(a.at[pl.ds(i * 8, 8)], v.at[1], s.at[1]).wait()

        @pl.when(n[i] <= 0)
        def _():
            o[pl.ds(i * 8, 8), :] = v[lax.rem(i, 2)]

        return 0

    lax.fori_loop(0, 4, it, 0)


nn = np.array([3, 0, -1, 7], np.int32)
K(
    "cond_dma",
    call(cd, [SM(), whole_any()], VS, SDS((32, 256), f32), [VMEM((2, 8, 256), f32), DMA((2,))]),
    [nn, x],
    [np.concatenate([np.full((8, 256), n, np.float32) if n > 0 else x[i * 8 : i * 8 + 8] for i, n in enumerate(nn)])],
)


# output written back manually from scratch across steps, wait previous
def wbk(a, o, v, s):
    i = pl.program_id(0)
    n = pl.num_programs(0)
    sl = lax.rem(i, 2)
    cp = lambda k: AC(v.at[lax.rem(k, 2)], o.at[pl.ds(k * 8, 8)], s.at[lax.rem(k, 2)])

    @pl.when(i >= 2)
    def _():
        cp(i - 2).wait()

    v[sl] = a[...] + i.astype(f32)
    cp(i).start()

    @pl.when(i == n - 1)
    def _():
        cp(i - 1).wait()
        cp(i).wait()


K(
    "manual_writeback",
    pl.pallas_call(
        wbk,
        grid=(4,),
        in_specs=[B((8, 256), lambda i: (i, 0))],
        out_specs=whole_any(),
        out_shape=SDS((32, 256), f32),
        scratch_shapes=[VMEM((2, 8, 256), f32), DMA((2,))],
    ),
    [x],
    [x + np.repeat(np.arange(4), 8)[:, None].astype(np.float32)],
)


# wait via semaphore_read loop
def srd(a, o, s, cnt):
    c = AC(a, o, s)
    c.start()
    pl.semaphore_signal(cnt, 4)

    def cc(k):
        return pl.semaphore_read(cnt) > k

    k = lax.while_loop(
        lambda k: pl.semaphore_read(cnt) > 0, lambda k: (pl.semaphore_wait(cnt, 1), k + 1)[1], jnp.int32(0)
    )
    c.wait()


K("semaphore_read_loop", call(srd, [whole_any()], whole_any(), SDS((32, 256), f32), [DMA, REG]), [x], [x])
done()
