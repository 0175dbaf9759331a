# SPDX-License-Identifier: Apache-2.0
"""Random programs of values: SEED and N in the environment. Not kept; numpy gives the right results."""

from own import *

SEED0 = int(os.environ.get("SEED", "0"))
N = int(os.environ.get("N", "60"))
I = np.int32


def wrap(a):
    return a


class G:
    def __init__(s, seed):
        s.r = np.random.default_rng(seed)
        s.ops = []

    def pick(s, l):
        return l[s.r.integers(len(l))]


shapes = [
    (8, 128),
    (16, 128),
    (4, 8, 128),
    (3, 5),
    (1, 128),
    (8, 1),
    (7, 13),
    (2, 3, 4, 5),
    (16,),
    (24, 8),
    (1, 1),
]


def gen(seed):
    r = np.random.default_rng(seed)
    pick = lambda l: l[r.integers(len(l))]
    n_in = int(r.integers(2, 4))
    ins = []
    base = pick(shapes)
    for _ in range(n_in):
        sh = base if r.random() < 0.7 else pick(shapes)
        dt = pick([np.float32, np.int32, np.int32, np.float32, NB, np.int8, np.int16])
        ins.append(r.integers(-9, 10, sh).astype(dt))
    prog = []
    vals = list(ins)
    isf = lambda v: v.dtype in (np.float32, NB)
    with np.errstate(all="ignore"):
        for _ in range(int(r.integers(10, 32))):
            k = int(r.integers(len(vals))) if r.random() < 0.5 else len(vals) - 1 - int(r.integers(min(4, len(vals))))
            v = vals[k]
            op = None
            c = r.integers(22)
            same = [j for j, w in enumerate(vals) if w.shape == v.shape and w.dtype == v.dtype]

            def bcastable(w):
                try:
                    np.broadcast_shapes(w.shape, v.shape)
                    return w.dtype == v.dtype and w.ndim == v.ndim
                except ValueError:
                    return False

            bc = [j for j, w in enumerate(vals) if bcastable(w)]
            big = [np.abs(np.asarray(v).astype(np.float64)).max() < 1e4]
            if v.dtype == bool:
                if c < 8:
                    j = pick(same)
                    f = pick(["and", "or", "xor"])
                    fn = {
                        "and": lambda m, a, b: m.logical_and(a, b),
                        "or": lambda m, a, b: m.logical_or(a, b),
                        "xor": lambda m, a, b: m.logical_xor(a, b),
                    }[f]
                    op = (f, [k, j], fn)
                elif c < 12:
                    op = ("not", [k], lambda m, a: m.logical_not(a))
                elif c < 17:
                    cand = [j for j, w in enumerate(vals) if w.shape == v.shape and w.dtype != bool]
                    if not cand:
                        continue
                    j = pick(cand)
                    s2 = [t for t in cand if vals[t].dtype == vals[j].dtype]
                    t = pick(s2)
                    op = ("where", [k, j, t], lambda m, a, b, d: m.where(a, b, d))
                else:
                    op = ("b2i", [k], lambda m, a: a.astype(np.int32 if m is np else i32))
            elif c < 5:
                j = pick(bc)
                f = pick(
                    ["add", "sub", "max", "min"]
                    + (["mul"] if big[0] and np.abs(np.asarray(vals[j]).astype(np.float64)).max() < 1e4 else [])
                )
                fn = {
                    "add": lambda m, a, b: a + b,
                    "sub": lambda m, a, b: a - b,
                    "mul": lambda m, a, b: a * b,
                    "max": lambda m, a, b: m.maximum(a, b),
                    "min": lambda m, a, b: m.minimum(a, b),
                }[f]
                op = (f, [k, j], fn)
            elif c < 7:
                j = pick(same)
                f = pick(["lt", "le", "eq", "ne", "ge", "gt"])
                fn = {
                    "lt": lambda m, a, b: a < b,
                    "le": lambda m, a, b: a <= b,
                    "eq": lambda m, a, b: a == b,
                    "ne": lambda m, a, b: a != b,
                    "ge": lambda m, a, b: a >= b,
                    "gt": lambda m, a, b: a > b,
                }[f]
                op = (f, [k, j], fn)
            elif c == 7 and v.ndim >= 2:
                p = tuple(int(t) for t in r.permutation(v.ndim))
                op = ("tr", [k], lambda m, a, p=p: m.transpose(a, p))
            elif c == 8:
                ax = int(r.integers(v.ndim))
                if v.dtype in (np.float32, np.int32):
                    f = pick(["max", "min", "sum"])
                elif v.dtype == NB:
                    f = pick(["max", "min"])
                else:
                    continue
                if f == "sum" and not big[0]:
                    continue
                fn = lambda m, a, f=f, ax=ax: getattr(m, f)(a, axis=ax, keepdims=True).astype(a.dtype)
                op = ("red" + f, [k], fn)
            elif c == 9 and v.ndim >= 1:
                ax = int(r.integers(v.ndim))
                same2 = [
                    j
                    for j, w in enumerate(vals)
                    if w.dtype == v.dtype
                    and w.ndim == v.ndim
                    and all(w.shape[d] == v.shape[d] for d in range(v.ndim) if d != ax)
                ]
                j = pick(same2)
                if vals[j].size + v.size > 60000:
                    continue
                op = ("cat", [k, j], lambda m, a, b, ax=ax: m.concatenate([a, b], axis=ax))
            elif c == 10:
                st = [int(r.integers(0, n)) for n in v.shape]
                en = [int(r.integers(s_ + 1, n + 1)) for s_, n in zip(st, v.shape)]
                op = ("slice", [k], lambda m, a, st=st, en=en: a[tuple(slice(p, q) for p, q in zip(st, en))])
            elif c == 11:
                n = v.size
                opts = [s_ for s_ in shapes + [(n,), (1, n), (n, 1)] if int(np.prod(s_)) == n]
                s_ = pick(opts)
                op = ("reshape", [k], lambda m, a, s_=s_: a.reshape(s_))
            elif c == 12 and v.dtype in (np.int32, np.int16, np.int8):
                f = pick(["and", "or", "xor", "not", "abs", "neg", "shl", "shr", "div", "rem"])
                j = pick(same)
                if f in ("div", "rem"):
                    w = vals[j]
                    if (np.asarray(w) == 0).any():
                        continue
                    if f == "div":
                        fn = lambda m, a, b: (
                            np.trunc(a.astype(np.float64) / b.astype(np.float64)).astype(a.dtype)
                            if m is np
                            else lax.div(a, b)
                        )
                    else:
                        fn = lambda m, a, b: (np.fmod(a, b) if m is np else lax.rem(a, b))
                    op = (f, [k, j], fn)
                elif f in ("and", "or", "xor"):
                    fn = {
                        "and": lambda m, a, b: a & b,
                        "or": lambda m, a, b: a | b,
                        "xor": lambda m, a, b: a ^ b,
                    }[f]
                    op = (f, [k, j], fn)
                else:
                    sft = int(r.integers(0, 8))
                    fn = {
                        "not": lambda m, a: ~a,
                        "abs": lambda m, a: m.abs(a),
                        "neg": lambda m, a: -a,
                        "shl": lambda m, a, sft=sft: m.left_shift(a, m.asarray(sft, a.dtype)),
                        "shr": lambda m, a, sft=sft: m.right_shift(a, m.asarray(sft, a.dtype)),
                    }[f]
                    op = (f, [k], fn)
            elif c == 13 and v.dtype == np.float32:
                f = pick(["abs", "floor", "ceil", "neg", "sq", "sign"])
                if f == "sq" and not big[0]:
                    continue
                fn = {
                    "abs": lambda m, a: m.abs(a),
                    "floor": lambda m, a: m.floor(a),
                    "ceil": lambda m, a: m.ceil(a),
                    "neg": lambda m, a: -a,
                    "sq": lambda m, a: a * a,
                    "sign": lambda m, a: m.sign(a),
                }[f]
                op = (f, [k], fn)
            elif c in (14, 15):
                to = pick([np.float32, np.int32, NB, np.int8, np.int16])
                if to == v.dtype:
                    continue
                if (
                    isf(v)
                    and to in (np.int8, np.int16, np.int32)
                    and np.abs(np.asarray(v).astype(np.float64)).max() > 100
                ):
                    continue
                if v.dtype != np.float32 and isf(v) and to != np.float32:
                    continue
                op = ("cast", [k], lambda m, a, to=to: a.astype(to) if m is np else a.astype(jnp.dtype(to)))
            elif c == 16 and v.ndim in (2, 3) and v.dtype in (np.float32, np.int32):
                ax = int(r.integers(v.ndim))
                s_ = int(r.integers(0, v.shape[ax]))
                op = (
                    "roll",
                    [k],
                    lambda m, a, s_=s_, ax=ax: np.roll(a, s_, ax) if m is np else pltpu.roll(a, s_, ax),
                )
            elif c == 17:
                s_ = v.shape
                t = tuple(int(r.integers(1, 4)) if n == 1 else n for n in s_)
                op = ("bc", [k], lambda m, a, t=t: m.broadcast_to(a, t) + m.zeros(t, a.dtype))
            elif c == 18 and v.dtype in (np.int32, np.float32):
                dd = int(r.integers(v.ndim))
                op = (
                    (
                        "iota",
                        [k],
                        lambda m, a, dd=dd: a
                        + (
                            np.broadcast_to(
                                np.arange(a.shape[dd], dtype=np.int32).reshape(
                                    [-1 if q == dd else 1 for q in range(a.ndim)]
                                ),
                                a.shape,
                            )
                            if m is np
                            else lax.broadcasted_iota(i32, a.shape, dd)
                        ).astype(a.dtype),
                    )
                    if v.ndim >= 2
                    else None
                )
            elif c == 19 and v.ndim >= 2 and v.dtype in (np.float32, NB, np.int8):
                cand = [
                    j
                    for j, w in enumerate(vals)
                    if w.ndim == 2 and v.ndim == 2 and w.dtype == v.dtype and w.shape[0] == v.shape[1]
                ]
                if not cand or np.abs(np.asarray(v).astype(np.float64)).max() > 100:
                    continue
                j = pick(cand)
                if np.abs(np.asarray(vals[j]).astype(np.float64)).max() > 100:
                    continue
                if v.dtype == np.int8:
                    op = (
                        "dot",
                        [k, j],
                        lambda m, a, b: (
                            (a.astype(np.int32) @ b.astype(np.int32))
                            if m is np
                            else jnp.dot(a, b, preferred_element_type=i32)
                        ),
                    )
                else:
                    op = (
                        "dot",
                        [k, j],
                        lambda m, a, b: (
                            (np.asarray(a).astype(np.float64) @ np.asarray(b).astype(np.float64)).astype(np.float32)
                            if m is np
                            else jnp.dot(
                                a,
                                b,
                                preferred_element_type=f32,
                                precision=lax.Precision.HIGHEST if a.dtype == f32 else None,
                            )
                        ),
                    )
            elif c == 20 and v.ndim >= 1:
                ax = int(r.integers(v.ndim + 1))
                op = ("expand", [k], lambda m, a, ax=ax: m.expand_dims(a, ax)) if v.ndim < 5 else None
            elif c == 21 and 1 in v.shape and v.ndim >= 2:
                ax = [d for d, n in enumerate(v.shape) if n == 1][0]
                op = ("sq", [k], lambda m, a, ax=ax: m.squeeze(a, ax))
            if not op:
                continue
            try:
                nv = op[2](np, *[vals[j] for j in op[1]])
            except Exception as e:
                continue
            nv = np.asarray(nv)
            if nv.size > 70000 or nv.size == 0:
                continue
            if nv.dtype not in (np.float32, np.int32, NB, np.int8, np.int16, bool):
                continue
            if nv.dtype == np.float32 and not (np.abs(nv) < 2**22).all():
                continue
            if nv.dtype == NB and not (np.abs(nv.astype(np.float32)) < 2**20).all():
                continue
            prog.append(op)
            vals.append(nv)
    outs = list(range(max(len(ins), len(vals) - 4), len(vals)))
    if not outs:
        return

    def fn(*xs):
        vs = list(xs)
        for o in prog:
            vs.append(o[2](jnp, *[vs[j] for j in o[1]]))
        return [vs[j] for j in outs]

    res = [vals[j] for j in outs]
    K(
        f"fz{seed}",
        elt(fn, *[(v.shape, jnp.dtype(v.dtype)) for v in res]),
        ins,
        res,
    )


for s in range(SEED0, SEED0 + N):
    gen(s)
done()
