# SPDX-License-Identifier: Apache-2.0
"""Matrix products of every form and type; quantised weights, packed and not; 8-bit floats."""

from own import *

r = rng(4)
q, k, v, do = [(r.normal(size=s) * 0.4).astype(np.float32) for s in ((64, 64), (96, 64), (96, 64), (64, 64))]
s = f64(q) @ f64(k).T
lse = np.log(np.exp(s).sum(-1))
p = np.exp(s - lse[:, None])
o = p @ f64(v)
# ---------- quantised ----------
r = rng(7)
x = r.normal(size=(16, 128)).astype(NB)
w4 = r.integers(-8, 8, (128, 128)).astype(ml_dtypes.int4)
sc = (r.random((1, 128)) + 0.5).astype(np.float32)


def w4k(x, w, s, o):
    o[...] = jnp.dot(x[...], w[...].astype(bf16), preferred_element_type=f32) * s[...]


K(
    "q_int4_weights",
    one(w4k, ((16, 128), f32)),
    [x, w4, sc],
    [(f64(x) @ f64(w4)).astype(np.float32) * sc],
    (1e-5, 1e-4),
)
packed = (w4.astype(np.int32)[0::2] & 15) | ((w4.astype(np.int32)[1::2] & 15) << 4)
packed = packed.astype(np.uint8).view(np.int8)


def w4p(x, w, s, o):
    wb = pltpu.bitcast(w[...], jnp.int4)
    o[...] = jnp.dot(x[...], wb.astype(f32).astype(bf16), preferred_element_type=f32) * s[...]


K(
    "q_int4_bitcast_packed",
    one(w4p, ((16, 128), f32)),
    [x, packed, sc],
    [(f64(x) @ f64(w4)).astype(np.float32) * sc],
    (1e-5, 1e-4),
)
f8 = r.normal(size=(32, 128)).astype(ml_dtypes.float8_e4m3fn)
g8 = r.normal(size=(128, 128)).astype(ml_dtypes.float8_e4m3fn)
K(
    "q_fp8_matmul",
    one(
        lambda a, b, o: o.__setitem__(..., jnp.dot(a[...], b[...], preferred_element_type=f32)),
        ((32, 128), f32),
    ),
    [f8, g8],
    [(f64(f8) @ f64(g8)).astype(np.float32)],
    (1e-5, 1e-4),
)
f52 = r.normal(size=(32, 128)).astype(ml_dtypes.float8_e5m2)
K(
    "q_fp8_e5m2_bf16",
    one(lambda a, o: o.__setitem__(..., a[...].astype(bf16)), ((32, 128), bf16)),
    [f52],
    [f52.astype(NB)],
)
xq = (r.normal(size=(32, 128)) * 100).astype(np.float32)
K(
    "q_to_fp8",
    one(lambda a, o: o.__setitem__(..., a[...].astype(jnp.float8_e4m3fn)), ((32, 128), jnp.float8_e4m3fn)),
    [np.clip(xq, -448, 448)],
    [np.clip(xq, -448, 448).astype(ml_dtypes.float8_e4m3fn)],
)
bbi = r.integers(-2, 3, (128, 128)).astype(NB)
xi = r.integers(-2, 3, (16, 128)).astype(NB)
i16a = r.integers(-300, 300, (16, 128)).astype(np.int16)
K(
    "mm_i16",
    one(lambda a, b, o: o.__setitem__(..., jnp.dot(a[...], b[...], preferred_element_type=i32)), ((16, 16), i32)),
    [i16a, i16a.T.copy()],
    [i16a.astype(np.int32) @ i16a.T.astype(np.int32)],
)
K(
    "mm_mixed_bf16_i8",
    one(
        lambda a, b, o: o.__setitem__(
            ..., lax.dot_general(a[...], b[...], (((1,), (0,)), ((), ())), preferred_element_type=f32)
        ),
        ((16, 128), f32),
    ),
    [xi, bbi.astype(np.int8)],
    [(f64(xi) @ f64(bbi)).astype(np.float32)],
)
for nm, dn, sa_, sb_, ein in [
    ("nn", (((1,), (0,)), ((), ())), (16, 64), (64, 32), "ik,kj->ij"),
    ("tn", (((0,), (0,)), ((), ())), (64, 16), (64, 32), "ki,kj->ij"),
    ("nt", (((1,), (1,)), ((), ())), (16, 64), (32, 64), "ik,jk->ij"),
    ("tt", (((0,), (1,)), ((), ())), (64, 16), (32, 64), "ki,jk->ij"),
    ("bnn", (((2,), (1,)), ((0,), (0,))), (3, 8, 16), (3, 16, 24), "bik,bkj->bij"),
    ("bnt", (((2,), (2,)), ((0,), (0,))), (3, 8, 16), (3, 24, 16), "bik,bjk->bij"),
    ("btn", (((1,), (1,)), ((0,), (0,))), (3, 16, 8), (3, 16, 24), "bki,bkj->bij"),
    ("batch_mid", (((2,), (2,)), ((1,), (1,))), (8, 3, 16), (24, 3, 16), "ibk,jbk->bij"),
    ("batch_last_rhs", (((2,), (1,)), ((0,), (0,))), (2, 8, 16), (2, 16, 8), "bik,bkj->bij"),
    ("free2", (((2,), (0,)), ((), ())), (4, 8, 16), (16, 24), "abk,kj->abj"),
    ("vec_r", (((1,), (0,)), ((), ())), (16, 64), (64,), "ik,k->i"),
    ("k1", (((1,), (0,)), ((), ())), (16, 1), (1, 32), "ik,kj->ij"),
    ("m1", (((1,), (0,)), ((), ())), (1, 64), (64, 32), "ik,kj->ij"),
    ("m1_nt", (((1,), (1,)), ((), ())), (1, 64), (32, 64), "ik,jk->ij"),
    ("n1", (((1,), (0,)), ((), ())), (16, 64), (64, 1), "ik,kj->ij"),
    ("contract2", (((1, 2), (0, 1)), ((), ())), (8, 4, 16), (4, 16, 24), "iab,abj->ij"),
    ("prime", (((1,), (0,)), ((), ())), (13, 37), (37, 29), "ik,kj->ij"),
    ("b2", (((3,), (2,)), ((0, 1), (0, 1))), (2, 3, 8, 16), (2, 3, 16, 8), "abik,abkj->abij"),
]:
    A_, B_ = rng(11).integers(-3, 4, sa_).astype(np.float32), rng(12).integers(-3, 4, sb_).astype(np.float32)
    R = np.einsum(ein, A_, B_)
    for dt, tag in ((np.float32, ""), (NB, "_bf16"), (np.int8, "_i8")):
        od = i32 if dt == np.int8 else f32
        K(
            f"dg_{nm}{tag}",
            one(
                lambda a, b, o, dn=dn, od=od: o.__setitem__(
                    ..., lax.dot_general(a[...], b[...], dn, preferred_element_type=od)
                ),
                (R.shape, od),
            ),
            [A_.astype(dt), B_.astype(dt)],
            [R.astype(np.int32 if dt == np.int8 else np.float32)],
        )
done()
