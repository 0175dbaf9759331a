# SPDX-License-Identifier: Apache-2.0
"""Attention as people write it: grouped and multi-query, soft caps, ALiBi, decode over pages by hand; grouped products."""

from own import *


def CP(*s):
    return pltpu.CompilerParams(dimension_semantics=s)


# ---------- flash attention variants ----------
def flash(
    qh,
    kvh,
    sq,
    sk,
    d,
    bq,
    bk,
    *,
    causal=False,
    window=None,
    cap=None,
    segs=False,
    alibi=False,
    scale=1.0,
    dt=f32,
    lanes=128,
    sink=False,
):
    g = qh // kvh

    def kern(*refs):
        refs = list(refs)
        qseg = refs.pop(0) if segs else None
        kseg = refs.pop(0) if segs else None
        slopes = refs.pop(0) if alibi else None
        snk = refs.pop(0) if sink else None
        q, k, v, o, lse, m, l, acc = refs
        h, i, j = pl.program_id(0), pl.program_id(1), pl.program_id(2)

        @pl.when(j == 0)
        def _():
            m[...] = jnp.full_like(m, -1e30)
            l[...] = jnp.zeros_like(l)
            acc[...] = jnp.zeros_like(acc)
            if sink:
                m[...] = jnp.full_like(m, snk[h])
                l[...] = jnp.ones_like(l)

        live = True
        if causal:
            live = j * bk <= i * bq + bq - 1
        if window is not None:
            live = jnp.logical_and(live, j * bk + bk - 1 > i * bq - window)

        def step():
            s = (
                lax.dot_general(
                    q[...],
                    k[...],
                    (((1,), (1,)), ((), ())),
                    preferred_element_type=f32,
                    precision=HI if dt == f32 else None,
                )
                * scale
            )
            if cap:
                s = cap * jnp.tanh(s / cap)
            r = lax.broadcasted_iota(i32, (bq, bk), 0) + i * bq
            c = lax.broadcasted_iota(i32, (bq, bk), 1) + j * bk
            if alibi:
                s = s - slopes[h] * jnp.abs(r - c).astype(f32)
            mask = None

            def AND(a, b):
                return b if a is None else jnp.logical_and(a, b)

            if causal:
                mask = AND(mask, r >= c)
            if window is not None:
                mask = AND(mask, r - c < window)
            if segs:
                mask = AND(
                    mask,
                    jnp.broadcast_to(qseg[...][:, :1], (bq, bk)) == jnp.broadcast_to(kseg[...][:1, :], (bq, bk)),
                )
            if mask is not None:
                s = jnp.where(mask, s, -1e30)
            mp = m[...]
            mn = jnp.maximum(mp, jnp.max(s, 1)[:, None])
            p = jnp.exp(s - mn[:, :1])
            if mask is not None:
                p = jnp.where(mask, p, 0.0)
            al = jnp.exp(mp - mn)
            l[...] = al * l[...] + jnp.sum(p, 1)[:, None]
            m[...] = mn
            acc[...] = acc[...] * al[:, :1] + lax.dot(
                p.astype(dt), v[...], preferred_element_type=f32, precision=HI if dt == f32 else None
            )

        if live is True:
            step()
        else:
            pl.when(live)(step)

        @pl.when(j == pl.num_programs(2) - 1)
        def _():
            d_ = l[:, :1]
            o[...] = (acc[...] / jnp.where(d_ == 0.0, 1.0, d_)).astype(o.dtype)
            lse[...] = m[...] + jnp.log(jnp.where(l[...] == 0.0, 1.0, l[...]))

    ins = []
    if segs:
        ins += [B((bq, 128), lambda h, i, j: (i, 0)), B((8, bk), lambda h, i, j: (0, j))]
    if alibi:
        ins += [B(memory_space=SMEM)]
    if sink:
        ins += [B(memory_space=SMEM)]
    kvmap = lambda h, i, j: (h // g, j, 0)
    if causal:
        kvmap = lambda h, i, j: (lax.div(h, g), lax.select(j * bk <= i * bq + bq - 1, j, 0), 0)
    ins += [B((None, bq, d), lambda h, i, j: (h, i, 0)), B((None, bk, d), kvmap), B((None, bk, d), kvmap)]
    return pl.pallas_call(
        kern,
        grid=(qh, sq // bq, sk // bk),
        in_specs=ins,
        out_specs=[
            B((None, bq, d), lambda h, i, j: (h, i, 0)),
            B((None, bq, lanes), lambda h, i, j: (h, i, 0)),
        ],
        out_shape=[SDS((qh, sq, d), dt), SDS((qh, sq, lanes), f32)],
        scratch_shapes=[VMEM((bq, lanes), f32), VMEM((bq, lanes), f32), VMEM((bq, d), f32)],
        compiler_params=CP("parallel", "parallel", "arbitrary"),
    )


def aref(q, k, v, *, causal=False, window=None, cap=None, qs=None, ks=None, slopes=None, scale=1.0, sink=None):
    q, k, v = [np.asarray(t).astype(np.float64) for t in (q, k, v)]
    g = q.shape[0] // k.shape[0]
    k = np.repeat(k, g, 0)
    v = np.repeat(v, g, 0)
    s = np.einsum("hqd,hkd->hqk", q, k) * scale
    if cap:
        s = cap * np.tanh(s / cap)
    r = np.arange(q.shape[1])[:, None]
    c = np.arange(k.shape[1])[None]
    m = np.ones((q.shape[1], k.shape[1]), bool)
    if slopes is not None:
        s = s - slopes.astype(np.float64)[:, None, None] * np.abs(r - c)
    if causal:
        m &= r >= c
    if window is not None:
        m &= r - c < window
    if qs is not None:
        m &= qs[:, None] == ks[None]
    s = np.where(m, s, -np.inf)
    mx = s.max(-1, keepdims=True)
    mx = np.where(np.isfinite(mx), mx, 0)
    if sink is not None:
        mx = np.maximum(mx, sink[:, None, None])
    e = np.exp(s - mx)
    d = e.sum(-1, keepdims=True)
    if sink is not None:
        d = d + np.exp(sink[:, None, None] - mx)
    o = np.einsum("hqk,hkd->hqd", e / np.where(d == 0, 1, d), v)
    lse = np.where(d == 0, -1e30, mx + np.log(np.where(d == 0, 1, d)))[..., 0]
    return o, lse


def FA(name, qh, kvh, sq, sk, d, bq, bk, seed=0, dt=np.float32, tol=(2e-5, 2e-5), lanes=128, **kw):
    r = rng(seed)
    q, k, v = [(r.normal(size=s) * 0.6).astype(NB).astype(dt) for s in ((qh, sq, d), (kvh, sk, d), (kvh, sk, d))]
    pre = []
    rk = dict(kw)
    if rk.pop("segs", False):
        qs = np.sort(r.integers(0, 4, sq)).astype(np.int32)
        ks = np.sort(r.integers(0, 4, sk)).astype(np.int32)
        pre += [np.broadcast_to(qs[:, None], (sq, 128)).copy(), np.broadcast_to(ks[None], (8, sk)).copy()]
        rk.update(qs=qs, ks=ks)
    if rk.pop("alibi", False):
        sl = (2.0 ** -np.arange(1, qh + 1)).astype(np.float32)
        pre.append(sl)
        rk["slopes"] = sl
    if rk.pop("sink", False):
        sk_ = r.normal(size=qh).astype(np.float32)
        pre.append(sk_)
        rk["sink"] = sk_
    o, lse = aref(q, k, v, **rk)
    K(
        name,
        flash(qh, kvh, sq, sk, d, bq, bk, dt=jnp.dtype(dt), lanes=lanes, **kw),
        pre + [q, k, v],
        [o.astype(dt), np.broadcast_to(lse[..., None], (qh, sq, lanes)).astype(np.float32)],
        tol,
    )


FA("fa_alibi", 4, 4, 32, 32, 32, 8, 16, alibi=True, causal=True, scale=0.2)
FA("fa_lane1", 2, 2, 48, 48, 40, 24, 24, causal=True, scale=0.2, lanes=1)
r = rng(4)
q, k, v, do = [(r.normal(size=s) * 0.4).astype(np.float32) for s in ((64, 64), (96, 64), (96, 64), (64, 64))]
s = f64(q) @ f64(k).T
lse = np.log(np.exp(s).sum(-1))
p = np.exp(s - lse[:, None])
o = p @ f64(v)


# ---------- paged decode with manual DMA, double buffer across sequences ----------
def paged(nseq, qh, kvh, d, ps, maxp, ppb, dt=f32):
    g = qh // kvh

    def kern(lens, tab, q, kp, vp, o, kb, vb, ks, vs):
        b = pl.program_id(0)
        L = lens[b]
        nblk = (L + ps * ppb - 1) // (ps * ppb)

        def cps(blk, slot):
            out = []
            for p in range(ppb):
                page = tab[b * maxp + blk * ppb + p]
                out.append(pltpu.make_async_copy(kp.at[:, page], kb.at[slot, :, p], ks.at[slot]))
                out.append(pltpu.make_async_copy(vp.at[:, page], vb.at[slot, :, p], vs.at[slot]))
            return out

        def start(blk, slot):
            for c in cps(blk, slot):
                c.start()

        start(0, 0)

        def body(i, carry):
            m, l, acc = carry
            slot = lax.rem(i, 2)

            @pl.when(i + 1 < nblk)
            def _():
                start(i + 1, lax.rem(i + 1, 2))

            for c in cps(i, slot):
                c.wait()
            ms, ls, accs = [], [], []
            for h in range(kvh):
                kk = kb[slot, h].reshape(ppb * ps, d)
                vv = vb[slot, h].reshape(ppb * ps, d)
                qq = q[h * g : (h + 1) * g]
                s = lax.dot_general(qq, kk, (((1,), (1,)), ((), ())), preferred_element_type=f32, precision=HI)
                c = lax.broadcasted_iota(i32, s.shape, 1) + i * ps * ppb
                s = jnp.where(c < L, s, -1e30)
                mm = m[h * g : (h + 1) * g]
                mn = jnp.maximum(mm, s.max(1, keepdims=True))
                e = jnp.exp(s - mn)
                al = jnp.exp(mm - mn)
                ms.append(mn)
                ls.append(l[h * g : (h + 1) * g] * al + e.sum(1, keepdims=True))
                accs.append(acc[h * g : (h + 1) * g] * al + lax.dot(e, vv, precision=HI))
            cat = lambda t: jnp.concatenate(t, 0)
            return cat(ms), cat(ls), cat(accs)

        m, l, acc = lax.fori_loop(
            0, nblk, body, (jnp.full((qh, 1), -1e30, f32), jnp.zeros((qh, 1), f32), jnp.zeros((qh, d), f32))
        )
        o[...] = acc / l

    gs = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=2,
        grid=(nseq,),
        in_specs=[B((None, qh, d), lambda b, *_: (b, 0, 0)), whole_any(), whole_any()],
        out_specs=B((None, qh, d), lambda b, *_: (b, 0, 0)),
        scratch_shapes=[VMEM((2, kvh, ppb, ps, d), dt), VMEM((2, kvh, ppb, ps, d), dt), DMA((2,)), DMA((2,))],
    )
    return pl.pallas_call(kern, grid_spec=gs, out_shape=SDS((nseq, qh, d), f32))


def PD(name, nseq, qh, kvh, d, ps, maxp, ppb, lens, seed):
    r = rng(seed)
    npg = nseq * maxp + 3
    tab = r.permutation(npg)[: nseq * maxp].astype(np.int32)
    q = (r.normal(size=(nseq, qh, d)) * 0.4).astype(np.float32)
    kp, vp = [(r.normal(size=(kvh, npg, ps, d)) * 0.5).astype(np.float32) for _ in range(2)]
    out = []
    for b in range(nseq):
        kk = kp[:, tab[b * maxp : (b + 1) * maxp]].reshape(kvh, -1, d)[:, : lens[b]]
        vv = vp[:, tab[b * maxp : (b + 1) * maxp]].reshape(kvh, -1, d)[:, : lens[b]]
        out.append(aref(q[b][:, None], kk, vv)[0][:, 0])
    K(
        name,
        paged(nseq, qh, kvh, d, ps, maxp, ppb),
        [np.array(lens, np.int32), tab, q, kp, vp],
        [np.stack(out).astype(np.float32)],
        (3e-5, 3e-5),
        prefetch=2,
    )


PD("paged_decode_mqa", 3, 4, 1, 64, 8, 6, 2, [1, 48, 17], 1)


# ---------- megablox style gmm: group metadata prefetch, dynamic grid, masked store ----------
def gmm_meta(sizes, m, tm):
    ends = np.cumsum(sizes)
    starts = ends - sizes
    gids = []
    mids = []
    for t in range(m // tm):
        for g_ in range(len(sizes)):
            if sizes[g_] > 0 and starts[g_] < (t + 1) * tm and ends[g_] > t * tm:
                gids.append(g_)
                mids.append(t)
    return np.concatenate([[0], ends]).astype(np.int32), np.array(gids, np.int32), np.array(mids, np.int32)


def gmm(m, k, n, G, tm, tk, tn, trans=False, dt=f32):
    def call(nt, off, gid, mid, lhs, rhs):
        def kern(off, gid, mid, l, r, o, acc):
            kk = pl.program_id(2)
            t = pl.program_id(1)

            @pl.when(kk == 0)
            def _():
                acc[...] = jnp.zeros_like(acc)

            dims = (((1,), (1,)), ((), ())) if trans else (((1,), (0,)), ((), ()))
            acc[...] += lax.dot_general(
                l[...], r[...], dims, preferred_element_type=f32, precision=HI if dt == f32 else None
            )

            @pl.when(kk == pl.num_programs(2) - 1)
            def _():
                g = gid[t]
                row = mid[t] * tm + lax.broadcasted_iota(i32, (tm, tn), 0)
                mask = jnp.logical_and(row >= off[g], row < off[g + 1])
                o[...] = lax.select(mask, acc[...], o[...].astype(f32)).astype(o.dtype)

        rs = (
            B((None, tn, tk), lambda j, t, q, o, g, mm: (g[t], j, q))
            if trans
            else B((None, tk, tn), lambda j, t, q, o, g, mm: (g[t], q, j))
        )
        gs = pltpu.PrefetchScalarGridSpec(
            num_scalar_prefetch=3,
            grid=(n // tn, nt, k // tk),
            in_specs=[B((tm, tk), lambda j, t, q, o, g, mm: (mm[t], q)), rs],
            out_specs=B((tm, tn), lambda j, t, q, o, g, mm: (mm[t], j)),
            scratch_shapes=[VMEM((tm, tn), f32)],
        )
        return pl.pallas_call(
            kern,
            grid_spec=gs,
            out_shape=SDS((m, n), dt),
            compiler_params=CP("parallel", "arbitrary", "arbitrary"),
        )(off, gid, mid, lhs, rhs)

    return call


def GM(name, sizes, k, n, tm, tk, tn, trans=False, seed=0):
    r = rng(seed)
    sizes = np.array(sizes)
    m = int(sizes.sum())
    G = len(sizes)
    off, gid, mid = gmm_meta(sizes, m, tm)
    lhs = r.integers(-4, 5, (m, k)).astype(np.float32)
    rhs = r.integers(-4, 5, (G, n, k) if trans else (G, k, n)).astype(np.float32)
    out = np.concatenate([lhs[off[g_] : off[g_ + 1]] @ (rhs[g_].T if trans else rhs[g_]) for g_ in range(G)])
    K(
        name,
        gmm(m, k, n, G, tm, tk, tn, trans),
        [np.int32(len(gid)), off, gid, mid, lhs, rhs],
        [out],
        prefetch=3,
        extra={"dynamic_grid_bounds": 1},
    )


GM("gmm_trans", [1, 1, 30], 32, 256, 16, 32, 128, True)
GM("gmm_one_group", [24], 16, 128, 8, 16, 128)
done()
