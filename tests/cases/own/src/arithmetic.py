# SPDX-License-Identifier: Apache-2.0
"""Each operation over each element type, with the values at the ends of its range. Not kept. (XLA's CPU code flushes subnormals: three
cases differ for that, and nextafter for the ordered != of a lowered isnan.)"""

from own import *

S = (16, 128)
sp = np.array(
    [
        0.0,
        -0.0,
        1,
        -1,
        np.inf,
        -np.inf,
        np.nan,
        1e-45,
        -1e-45,
        1e-39,
        -1.1754942e-38,
        1.1754944e-38,
        3.4e38,
        -3.4e38,
        0.5,
        -0.5,
        1.5,
        2.5,
        -1.5,
        -2.5,
        0.49999997,
        8388607.5,
        8388608.5,
        -8388607.5,
        2147483648.0,
        -2147483648.0,
        2147483520.0,
        4294967296.0,
        -3e9,
        1e10,
        127.5,
        128.0,
        -128.5,
        -129.0,
        255.5,
        256.0,
        32767.5,
        -32769.0,
        65535.5,
        1e30,
        88.8,
        -87.5,
        -104.0,
        89.0,
        np.pi,
        1e5,
        0.1,
        1e-8,
    ],
    np.float32,
)


def spread(n=2048, seed=0, base=sp):
    r = np.random.default_rng(seed)
    return np.concatenate([base, r.choice(base, n - len(base))]).astype(base.dtype).reshape(S)


nd = sp[~((np.abs(sp) < 1.1754943e-38) & (sp != 0))]
nd = nd[np.abs(np.where(np.isfinite(nd) & (nd != 0), nd, 1)) > 1e-7]
xs, ys = spread(seed=1, base=nd), spread(seed=2, base=nd)
ys = np.random.default_rng(3).permutation(ys.ravel()).reshape(S)
with np.errstate(all="ignore"):
    xb, yb = xs.astype(NB), ys.astype(NB)
    xh, yh = xs.astype(np.float16), ys.astype(np.float16)


def npf(f):
    def g(*a):
        with np.errstate(all="ignore"):
            r = f(*a)
        return r

    return g


T = (5e-6, 1e-44)


def w64(f):  # via float64
    def g(*a):
        with np.errstate(all="ignore"):
            return f(*[np.asarray(v).astype(np.float64) for v in a]).astype(a[0].dtype)

    return g


# transcendental over specials, f32 and bf16
import scipy.special as ss

fl = dict(
    exp=(jnp.exp, np.exp),
    log=(jnp.log, np.log),
    log1p=(jnp.log1p, np.log1p),
    tanh=(jnp.tanh, np.tanh),
    sqrt=(jnp.sqrt, np.sqrt),
    rsqrt=(lax.rsqrt, lambda v: 1 / np.sqrt(v)),
    sin=(jnp.sin, np.sin),
    cos=(jnp.cos, np.cos),
    tan=(jnp.tan, np.tan),
    logistic=(jax.nn.sigmoid, ss.expit),
)
for n, (jf, nf) in fl.items():
    base = sp[np.abs(np.nan_to_num(sp, posinf=1, neginf=1)) < 1e6] if n in ("sin", "cos", "tan") else sp
    base = np.concatenate([base, [np.inf, -np.inf, np.nan]]).astype(np.float32)
    v = spread(base=base, seed=5)
    if n == "log1p":
        v = np.where(np.isnan(v), np.float32(0.3), v)
    ref = w64(nf)
    E("fn_" + n, jf, [v], lambda a, ref=ref: ref(a), tol=(1e-5, 1.2e-38 if n in ("exp", "logistic") else 1e-44))
    E("fn_bf16_" + n, jf, [v.astype(NB)], lambda a, ref=ref: w64(nf)(a), tol=(1e-2, 1.2e-38))
# jnp exact ones
for n, f in dict(
    floor=jnp.floor,
    ceil=jnp.ceil,
    round_even=lambda v: lax.round(v, lax.RoundingMethod.TO_NEAREST_EVEN),
    round_away=lambda v: lax.round(v, lax.RoundingMethod.AWAY_FROM_ZERO),
    sign=jnp.sign,
    abs=jnp.abs,
    neg=lambda v: -v,
    isfin=lambda v: jnp.isfinite(v).astype(i32),
    relu6=lambda v: jnp.clip(v, -1.5, 6.0),
    square=jnp.square,
    cube=lambda v: v**3,
    p4=lambda v: lax.integer_pow(v, 4),
    pm1=lambda v: lax.integer_pow(v, -1),
    trunc=jnp.trunc,
).items():
    E("ex_" + n, f, [xs])
    if n not in ("isfin",):
        E("exb_" + n, f, [xb])


def ab(name, f, ins, **kw):
    E(name, f, ins, **kw)


for n, f in dict(
    add=lambda a, b: a + b,
    sub=lambda a, b: a - b,
    mul=lambda a, b: a * b,
    div=lambda a, b: a / b,
    max=jnp.maximum,
    min=jnp.minimum,
    rem=lax.rem,
    mod=jnp.mod,
    lt=lambda a, b: (a < b).astype(i32),
    le=lambda a, b: (a <= b).astype(i32),
    gt=lambda a, b: (a > b).astype(i32),
    ge=lambda a, b: (a >= b).astype(i32),
    eq=lambda a, b: (a == b).astype(i32),
    clamp=lambda a, b: lax.clamp(jnp.float32(-2).astype(a.dtype), a, jnp.maximum(b, 0)),
    where=lambda a, b: jnp.where(a > b, a, b),
).items():
    E("bi_" + n, f, [xs, ys])
    E("bib_" + n, f, [xb, yb])
E("bi_add_f16", lambda a, b: a + b, [xh, yh])
E("bi_nextafter", jnp.nextafter, [xs, ys])
E("bi_pow", jnp.power, [np.abs(xs), ys], lambda a, b: w64(np.power)(a, b), tol=(1e-4, 1e-38))


# casts out of range: saturating, NaN 0
def cast_ref(dt):
    def g(a):
        a = a.astype(np.float64)
        a = np.where(np.isnan(a), 0, a)
        ii = np.iinfo(dt)
        return np.clip(np.trunc(a), ii.min, ii.max).astype(dt)

    return g


for dt in (np.int32, np.int8, np.int16):
    E(f"cast_f32_{np.dtype(dt).name}", lambda v, dt=dt: v.astype(dt), [xs], cast_ref(dt))
E("cast_bf16_i32", lambda v: v.astype(i32), [xb], cast_ref(np.int32))
E("cast_bf16_i8", lambda v: v.astype(i8), [xb], cast_ref(np.int8))
E("cast_f32_bool", lambda v: v.astype(bool).astype(i32), [np.where(np.isnan(xs), 1, xs)])
E(
    "cast_f32_f16_bf16",
    lambda v: (v.astype(jnp.float16), v.astype(bf16)),
    [xs],
    npf(lambda v: (v.astype(np.float16), v.astype(NB))),
)
E(
    "cast_bf16_f16",
    lambda v: (v.astype(f32).astype(jnp.float16)),
    [xb],
    npf(lambda v: v.astype(np.float32).astype(np.float16)),
)
# ints
ri = np.random.default_rng(9)


def iv(dt, seed):
    ii = np.iinfo(dt)
    r = np.random.default_rng(seed)
    base = np.array(
        [ii.min, ii.max, 0, 1, ii.max - 1, ii.min + 1, 2, 3, 7] + ([-1, -2, -3, -7] if ii.min < 0 else []), dt
    )
    return np.concatenate(
        [base, r.choice(base, 500), r.integers(ii.min, int(ii.max) + 1, 2048 - 500 - len(base), dtype=dt)]
    ).astype(dt)


for dt in (np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32):
    nm = np.dtype(dt).name
    a = iv(dt, 1).reshape(S)
    b = ri.permutation(iv(dt, 2)).reshape(S)
    nz = np.where(b == 0, dt(1), b)
    safe = np.where((a == np.iinfo(dt).min) & (nz == dt(-1) if np.iinfo(dt).min < 0 else False), dt(3), a)
    for n, f in dict(
        add=lambda a, b: a + b,
        sub=lambda a, b: a - b,
        mul=lambda a, b: a * b,
        and_=lambda a, b: a & b,
        or_=lambda a, b: a | b,
        xor=lambda a, b: a ^ b,
        max=jnp.maximum,
        min=jnp.minimum,
        not_=lambda a, b: ~a,
        lt=lambda a, b: (a < b).astype(i32),
        ge=lambda a, b: (a >= b).astype(i32),
        ne=lambda a, b: (a != b).astype(i32),
        where=lambda a, b: jnp.where(a > b, a, b),
    ).items():
        E(f"i_{nm}_{n}", f, [a, b])
    for n, f in dict(div=lax.div, rem=lax.rem, floordiv=jnp.floor_divide, mod=jnp.mod).items():
        E(f"i_{nm}_{n}", f, [safe, nz])
    bits = np.iinfo(dt).bits
    sh = ri.integers(0, bits, S).astype(dt)
    for n, f in dict(shl=lax.shift_left, shrl=lax.shift_right_logical, shra=lax.shift_right_arithmetic).items():
        E(f"i_{nm}_{n}", f, [a, sh])
        E(f"i_{nm}_{n}_big", f, [a, np.where(sh % 3 == 0, dt(bits + 3) if bits < 100 else sh, sh)])
    for to in (np.int32, np.int16, np.int8, np.uint8, np.uint16, np.uint32):
        if to != dt:
            E(f"i_{nm}_to_{np.dtype(to).name}", lambda v, to=to: v.astype(to), [a])
    E(f"i_{nm}_to_f32", lambda v: v.astype(f32), [a])
    E(
        f"i_{nm}_to_bf16",
        lambda v: v.astype(bf16),
        [a],
        lambda v: v.astype(np.float32).astype(NB) if bits < 32 else v.astype(NB),
    )
    E(f"i_{nm}_abs", jnp.abs, [a])
    E(f"i_{nm}_sign", jnp.sign, [a])
    E(f"i_{nm}_bool", lambda v: (v.astype(bool)).astype(i32), [a])
    E(f"i_{nm}_clz", lax.clz, [a])
    E(f"i_{nm}_pop", lax.population_count, [a])
    E(
        f"i_{nm}_red",
        lambda v: (
            jnp.sum(v, axis=1, keepdims=True, dtype=v.dtype),
            jnp.max(v, axis=0, keepdims=True),
            jnp.min(v, axis=1, keepdims=True),
        ),
        [a],
    )
    E(
        f"i_{nm}_rot",
        lambda v: (pltpu.roll(v, 3, 0), pltpu.roll(v, 5, 1)),
        [a],
        lambda v: (np.roll(v, 3, 0), np.roll(v, 5, 1)),
    )
    E(f"i_{nm}_transpose", lambda v: v.T, [a])
    E(f"i_{nm}_concat", lambda v: jnp.concatenate([v[:8], v], 0), [a])
    E(f"i_{nm}_tile", lambda v: jnp.tile(v, (2, 1)), [a])
    E(f"i_{nm}_slice", lambda v: v[3:9, 5:77], [a])
bo = ri.integers(0, 2, S) > 0
bo2 = ri.integers(0, 2, S) > 0
for n, f in dict(
    and_=lambda a, b: a & b,
    or_=lambda a, b: a | b,
    xor=lambda a, b: a ^ b,
    not_=lambda a, b: ~a,
    eq=lambda a, b: a == b,
    lt=lambda a, b: a < b,
    ne=lambda a, b: a != b,
    tof=lambda a, b: a.astype(f32),
    toi8=lambda a, b: a.astype(i8),
    tobf=lambda a, b: a.astype(bf16),
    where=lambda a, b: jnp.where(a, b, ~b),
    anyall=lambda a, b: (jnp.any(a, axis=1, keepdims=True), jnp.all(b, axis=0, keepdims=True)),
    sum=lambda a, b: jnp.sum(a.astype(i32), axis=0, keepdims=True),
).items():
    E("bool_" + n, f, [bo, bo2])
done()
