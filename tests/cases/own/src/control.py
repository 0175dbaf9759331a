# SPDX-License-Identifier: Apache-2.0
"""Loops, branches and switches, deep and long; scalars of every width; arrays of high rank."""

from own import *

VS = B(memory_space=VMEM)
r = rng(0)
cache = r.normal(size=(4, 16, 2, 128)).astype(NB)
new = r.normal(size=(4, 1, 2, 128)).astype(NB)
pos = np.array([3, 15, 0, 7], np.int32)
rf = cache.copy()
for b in range(4):
    rf[b, pos[b]] = new[b, 0]
x8 = r.normal(size=(8, 128)).astype(np.float32)


# smem types
def smt(a8, a16, ub, u32_, bf, o):
    t = a8[1].astype(i32) + a16[2].astype(i32) * 2
    o[0] = t
    o[1] = ub[3].astype(i32)
    o[2] = lax.shift_right_logical(u32_[0], jnp.uint32(4)).astype(i32)
    o[3] = (a8[0] < 0).astype(i32)
    o[4] = lax.div(a16[0].astype(i32), a8[2].astype(i32))
    o[5] = lax.rem(a16[0].astype(i32), a8[2].astype(i32))
    o[6] = a16[0].astype(i32) // a8[2].astype(i32)
    o[7] = a16[0].astype(i32) % a8[2].astype(i32)


A8 = np.array([-128, 127, -7], np.int8)
A16 = np.array([-32767, 5, -300], np.int16)
UB = np.array([0, 1, 2, 255], np.uint8)
U32 = np.array([0xFFFFFFFF], np.uint32)
BF = np.array([1.5], NB)
K(
    "smem_small_ints",
    pl.pallas_call(smt, in_specs=[whole_smem()] * 5, out_specs=whole_smem(), out_shape=SDS((8,), i32)),
    [A8, A16, UB, U32, BF],
    [
        np.array(
            [
                127 - 600,
                255,
                0xFFFFFFFF >> 4,
                1,
                -32767 // -7 if 0 else int(-32767 / -7),
                -32767 - (-7) * int(-32767 / -7),
                (-32767) // (-7),
                (-32767) % (-7),
            ],
            np.int32,
        )
    ],
)


# while from SMEM
def wh(lim, x, o, os):
    def cond(c):
        i, v = c
        return jnp.logical_and(i < lim[0], lim[i] > 0)

    def body(c):
        i, v = c
        return i + 1, v * 2 + lim[i].astype(f32)

    i, v = lax.while_loop(cond, body, (jnp.int32(1), x[...]))
    o[...] = v
    os[0] = i


lim = np.array([7, 1, 4, 2, 5, 0, 9, 9], np.int32)
v = x8.copy()
for i in range(1, 5):
    v = v * 2 + np.float32(lim[i])
K(
    "while_smem_vec",
    pl.pallas_call(
        wh,
        in_specs=[whole_smem(), VS],
        out_specs=[VS, whole_smem()],
        out_shape=[SDS((8, 128), f32), SDS((1,), i32)],
    ),
    [lim, x8],
    [v, np.array([5], np.int32)],
)


# collatz: nested while in fori, cond, switch
def colz(n, o):
    def one_(k, _):
        def c(s):
            return s[0] != 1

        def b(s):
            return lax.cond(s[0] % 2 == 0, lambda v: v // 2, lambda v: 3 * v + 1, s[0]), s[1] + 1

        _, st = lax.while_loop(c, b, (n[k], jnp.int32(0)))
        o[k] = lax.switch(k % 4, [lambda s: s, lambda s: -s, lambda s: s * 10, lambda s: s * s], st)
        return 0

    lax.fori_loop(0, 8, one_, 0)


nn = np.array([1, 2, 3, 27, 97, 6, 7, 9], np.int32)


def cz(n):
    c = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        c += 1
    return c


st = [cz(int(n)) for n in nn]
K(
    "collatz_switch",
    pl.pallas_call(colz, in_specs=[whole_smem()], out_specs=whole_smem(), out_shape=SDS((8,), i32)),
    [nn],
    [np.array([[s, -s, s * 10, s * s][k % 4] for k, s in enumerate(st)], np.int32)],
)


# switch out of range clamps, vector results
def sw(ix, x, o):
    for k in range(5):
        o[k] = lax.switch(ix[k], [lambda v: v, lambda v: v + 1, lambda v: v * v], x[...])


ixs = np.array([-5, 0, 1, 2, 99], np.int32)
K(
    "switch_clamped",
    pl.pallas_call(sw, in_specs=[whole_smem(), VS], out_specs=VS, out_shape=SDS((5, 8, 128), f32)),
    [ixs, x8],
    [np.stack([x8, x8, x8 + 1, x8 * x8, x8 * x8])],
)


# deep nesting of conds and loops
def deep(n, o):
    def rec(d, v):
        if d == 0:
            return v + 1
        return lax.cond(
            n[d % 4] > d - 12,
            lambda u: lax.fori_loop(0, 1 + (n[d % 4] & 1), lambda i, w: rec(d - 1, w + i), u),
            lambda u: u - d,
            v,
        )

    o[0] = rec(14, n[0])


def deepref(n):
    def rec(d, v):
        if d == 0:
            return v + 1
        if n[d % 4] > d - 12:
            for i in range(1 + (n[d % 4] & 1)):
                v = rec(d - 1, v + i)
            return v
        return v - d

    return rec(14, n[0])


nd_ = [3, 2, 5, 4]
K(
    "deep_nesting",
    pl.pallas_call(deep, in_specs=[whole_smem()], out_specs=whole_smem(), out_shape=SDS((1,), i32)),
    [np.array(nd_, np.int32)],
    [np.array([deepref(nd_)], np.int32)],
)
ya = r.integers(-9, 9, (8, 128)).astype(np.float32)
xa = r.integers(-9, 9, (8, 128)).astype(np.float32)
a, b = xa, ya
for i in range(7):
    a, b = b, a + np.float32(i)
g3 = r.integers(-9, 9, (3, 8, 128)).astype(np.int32)
K(
    "long_grid_revisit",
    pl.pallas_call(
        lambda x, o: o.__setitem__(
            ...,
            jnp.where(lax.rem(pl.program_id(0), 4000) == 0, x[...], o[...] + x[...] * lax.rem(pl.program_id(0), 5)),
        ),
        grid=(12000,),
        in_specs=[B((None, 8, 128), lambda i: (i % 3, 0, 0))],
        out_specs=B((None, 8, 128), lambda i: (lax.div(i, 4000), 0, 0)),
        out_shape=SDS((3, 8, 128), i32),
    ),
    [g3],
    [
        np.stack(
            [
                g3[(t * 4000) % 3] + sum(g3[i % 3] * (i % 5) for i in range(t * 4000 + 1, (t + 1) * 4000))
                for t in range(3)
            ]
        )
    ],
)
x6d = r.normal(size=(2, 1, 3, 2, 4, 5)).astype(np.float32)
E(
    "rank6_vals",
    lambda v: (v.transpose(0, 1, 3, 2, 4, 5), jnp.sum(v, axis=2), v[:, :, 1:3] * 2, jnp.max(v, axis=(0, 3))),
    [x6d],
    lambda v: (
        v.transpose(0, 1, 3, 2, 4, 5),
        f64(v).sum(2).astype(np.float32),
        v[:, :, 1:3] * 2,
        v.max((0, 3)),
    ),
    tol=(1e-6, 1e-6),
)
done()
