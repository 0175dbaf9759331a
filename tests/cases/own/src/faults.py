# SPDX-License-Identifier: Apache-2.0
"""Races that steer control, undefined amounts and addresses, windows beside DMAs of the body, scopes, two cores, remote
copies to the own device: each with its nearest correct twin."""

from labelled import *
from own import done

X8, X16, X32 = ramp(8, 128), ramp(16, 128), ramp(32, 128)
T = np.array([3, 1, 0, 2], np.int32)
WHOLE = [[0, 8], [0, 128]]


def one(v):
    return np.array([v], np.int32)


# --- a table that is read while it is being loaded: what nobody has written yet steers the kernel
def table(early, use):
    def kernel(t, x, o, tab, buf, sems, reg):
        cp = copy(t, tab, sems.at[0])
        cp.start()  #@ table.start
        if not early:
            cp.wait()
        k = tab[1]  #@ table.read
        if early:
            cp.wait()
        o[...] = x[pl.ds(8, 8), :]
        if use == "load":
            o[...] = x[pl.ds(k * 8, 8), :]
        elif use == "semaphore":
            load = copy(t, tab, sems.at[k])
            load.start()
            load.wait()
        elif use == "branch":

            @pl.when(k != 1)
            def _():
                pl.semaphore_wait(reg, 1)

        elif use == "amount":
            pl.semaphore_signal(reg, k)
            pl.semaphore_wait(reg, 1)

    scratch = [SMEM((4,), i32), VMEM((8, 128), f32), DMA((2,)), REG]
    return call(kernel, like((8, 128)), 2, scratch, ins=[HBM_REF, VMEM_REF], outs=[VMEM_REF])


for use in ("load", "semaphore", "branch", "amount"):
    late = race("scratch0", "DMA write @table.start", "core read @table.read", [[1, 2]])
    what = f"a table entry that is read before its load was awaited is used: {use}"
    case(f"table_{use}_early", what, table(True, use), [T, X16], [X16[8:]], late)
    case(f"table_{use}_late", "the same, read after the load was awaited", table(False, use), [T, X16], [X16[8:]])


def steered(early, use):
    """The old value of a flag and the new one are both defined: the one order does what the other does not."""

    def kernel(f, x, o, tab, sems):
        tab[0] = 0
        cp = copy(f, tab, sems.at[0])
        cp.start()  #@ steered.start
        if not early:
            cp.wait()
        v = tab[0]  #@ steered.read
        if early:
            cp.wait()
        o[pl.ds(0, 8), :] = x[pl.ds(0, 8), :]
        if use == "deadlock":
            o[pl.ds(8, 8), :] = x[pl.ds(8, 8), :]

            @pl.when(v == 1)
            def _():
                copy(f, tab, sems.at[1]).wait()  #@ steered.wait

        else:

            @pl.when(v == 1)
            def _():
                o[pl.ds(8, 8), :] = x[pl.ds(8, 8), :]

    return call(kernel, like((16, 128)), 2, [SMEM((1,), i32), DMA((2,))], ins=[HBM_REF, VMEM_REF], outs=[VMEM_REF])


flag = race("scratch0", "DMA write @steered.start", "core read @steered.read", [[0, 1]])
case(
    "flag_deadlock_early",
    "only if the new flag arrives before it is read, the kernel waits for ever",
    steered(True, "deadlock"),
    [one(1), X16],
    [X16],
    flag,
    deadlock("scratch1[1]", "@steered.wait", 0, 0, 4, schedules="some"),
)
case("flag_0_early", "both flags are 0, whichever is read", steered(True, "deadlock"), [one(0), X16], [X16], flag)
case("flag_0_late", "the flag is awaited, and 0", steered(False, "deadlock"), [one(0), X16], [X16])
case(
    "flag_store_early",
    "only if the new flag arrives before it is read, the lower half is stored",
    steered(True, "store"),
    [one(1), X16],
    [X16],
    flag,
    uncovered("out0", [[8, 16], [0, 128]], schedules="some"),
)
case("flag_store_late", "the flag is awaited, and 1", steered(False, "store"), [one(1), X16], [X16])


# --- undefined data that steer
def undefined(init, use):
    def kernel(x, o, tab, reg, sem):
        if init:
            tab[0] = 2
        o[...] = x[pl.ds(0, 8), :]
        pl.semaphore_signal(reg, 2)
        if use == "amount":
            pl.semaphore_wait(reg, tab[0])  #@ undefined.amount
        elif use == "address":
            o[...] = x[pl.ds(tab[0] * 4, 8), :]  #@ undefined.address
        if use != "amount":
            pl.semaphore_wait(reg, 2)

    return call(kernel, like((8, 128)), 1, [SMEM((1,), i32), REG, DMA], ins=[VMEM_REF], outs=[VMEM_REF])


for use, right in (("amount", X8), ("address", X16[8:])):
    read = uninit("scratch0", f"core read @undefined.{use}", [[0, 1]])
    case(f"undefined_{use}", "a table entry that nobody wrote is used", undefined(False, use), [X16], [right], read)
    case(f"defined_{use}", "the entry is written first", undefined(True, use), [X16], [right])


# --- windows beside the body's own DMAs
def previous(aliased):
    def kernel(x, y, o, buf, sem):
        i = pl.program_id(0)
        cp = copy(y.at[pl.ds(jnp.maximum(i - 1, 0) * 8, 8)], buf, sem)
        cp.start()  #@ previous.start
        cp.wait()
        o[...] = x[...] + buf[...]

    scratch, aliases = [VMEM((8, 128), f32), DMA], {1: 0} if aliased else None
    specs = dict(ins=[rows(8), HBM_REF], outs=[rows(8)], grid=(4,))
    return call(kernel, like((32, 128)), 2, scratch, aliases=aliases, **specs)


case(
    "previous_block_in_place",
    "step i copies block i-1 of the array that the output's window writes back to: it may be on its way there",
    previous(True),
    [X32, X32],
    [X32],
    found(
        "race.read-write",
        memory="out0",
        first={"access": "pipeline write", "grid_step": [0]},
        second=side("DMA read @previous.start", 1),
        box=WHOLE,
    ),
)
moved = np.concatenate([X8, X32[:24]])
case("previous_block", "the same module without the alias", previous(False), [X32, X32], [X32 + moved])


def revisited(aliased):
    def kernel(x, y, o):
        o[...] = o[...] + x[...]

    spec = lambda m: pl.BlockSpec((1, 8, 128), m)
    return call(
        kernel,
        like((2, 8, 128)),
        2,
        ins=[spec(lambda r, b: (r * 2 + b, 0, 0)), HBM_REF],
        outs=[spec(lambda r, b: (b, 0, 0))],
        grid=(2, 2),
        aliases={1: 0} if aliased else None,
    )


X4 = ramp(4, 8, 128)
case(
    "revisited_in_place",
    "an aliased output is read back when its block is entered again",
    revisited(True),
    [X4, np.ones((2, 8, 128), np.float32)],
    [np.stack([X4[0] + X4[2], X4[1] + X4[3]]) + 1],
)


def half_written():
    def kernel(x, o):
        for k in (0, 1, 2, 3, 4, 6, 7):
            o[pl.ds(k, 1), :] = x[pl.ds(k, 1), :]

    return call(kernel, like((32, 128)), 1, ins=[rows(8)], outs=[rows(8)], grid=(4,))


missing = uncovered("out0", *[[[8 * k + 5, 8 * k + 6], [0, 128]] for k in range(4)])
case("one_row_of_each_block_missing", "each block misses its row 5", half_written(), [X32], [X32], missing)


# --- boxes, semaphores, scopes
def strided(first):
    def kernel(x, o, buf, sem):
        buf[...] = jnp.zeros((16, 128), f32)
        cp = copy(x.at[pl.ds(3, 1)], buf.at[pl.ds(3, 1)], sem)
        cp.start()  #@ strided.start
        o[...] = buf[pl.ds(first, 8, stride=2), :]  #@ strided.read
        cp.wait()

    return call(kernel, like((8, 128)), 1, [VMEM((16, 128), f32), DMA], outs=[VMEM_REF])


crossed = race("scratch0", "DMA write @strided.start", "core read @strided.read", [[3, 4], [0, 128]])
case("odd_rows_in_flight", "one odd row is in flight while the odd rows are read", strided(1), [X16], [X8 * 0], crossed)
case("even_rows_beside", "the even rows are read", strided(0), [X16], [X8 * 0])


def rounds(last):
    def kernel(x, o):
        @pl.loop(0, 4)
        def _(i):
            def body(tmp, sem):
                load = copy(x.at[pl.ds(i * 8, 8)], tmp, sem)
                load.start()
                load.wait()
                store = copy(tmp, o.at[pl.ds(i * 8, 8)], sem)
                store.start()  #@ rounds.store

                @pl.when(i < last)
                def _():
                    store.wait()

            pl.run_scoped(body, VMEM((8, 128), f32), DMA)

    return call(kernel, like((32, 128)), 1)


case(
    "last_round_not_awaited",
    "a scope in a loop: the store of its last round is not awaited",
    rounds(3),
    [X32],
    [X32],
    left_dma("out0", "@rounds.store", "scopedsem0", 4096, nth=3),
    outlives("scoped0", "DMA read @rounds.store", WHOLE, nth=3),
)
case("all_rounds_awaited", "all are awaited", rounds(4), [X32], [X32])


# --- two cores
def stored(k):
    def body(x, o, sem):
        c = lax.axis_index("core")
        cp = copy(x.at[pl.ds(c * 8, 8)], o.at[pl.ds(c * 8, 8)], sem)
        cp.start()  #@ stored.start

        @pl.when(c < k)
        def _():
            cp.wait()

    return meshed(body, like((16, 128)), DMA)


left = left_dma("out0", "@stored.start", "scratch0", 4096)
case("core_1_does_not_await", "only core 0 awaits its store (the label names no core)", stored(1), [X16], [X16], left)
case("both_cores_await", "both await", stored(2), [X16], [X16])


def writes_flag(f, o, sem, ready, told_so, reader):
    """Copies a flag, and the rows behind it, into the output; says so to the core that reads it."""
    cp = copy(f.at[pl.ds(0, 4)], o.at[pl.ds(0, 4)], sem)
    cp.start()  #@ flag.store
    cp.wait()
    if told_so:
        pl.semaphore_signal(ready, 1, core_index=reader)


def reads_flag(o, tab, sem, ready, told_so):
    if told_so:
        pl.semaphore_wait(ready, 1)
    cp = copy(o.at[pl.ds(0, 1)], tab, sem)
    cp.start()  #@ flag.load
    cp.wait()


def fills_rest(f, o, sem, start=4):
    d = copy(f.at[pl.ds(start, 4)], o.at[pl.ds(4, 4)], sem)
    d.start()
    d.wait()
    return d


def told(told_so, doubled):
    """Core 0 copies a flag into the output; core 1 copies it to its SMEM and branches on it."""

    def body(f, o, tab, sem, ready):
        c = lax.axis_index("core")

        @pl.when(c == 0)
        def _():
            writes_flag(f, o, sem, ready, told_so, reader=1)

        @pl.when(c == 1)
        def _():
            reads_flag(o, tab, sem, ready, told_so)

            @pl.when(tab[0, 0] == 1)
            def _():
                d = fills_rest(f, o, sem)
                if doubled:
                    d.wait()  #@ told.wait

            @pl.when(tab[0, 0] != 1)
            def _():
                fills_rest(f, o, sem, start=0)

    return meshed(body, like((8, 128), i32), SMEM((1, 128), i32), DMA, REG)


F = np.zeros((8, 128), np.int32)
F[0, 0] = 1
unsaid = race("out0", "DMA write @flag.store", "DMA read @flag.load", [[0, 1], [0, 128]], cores=(0, 1))
case("core_1_branches_on_what_it_was_told", "core 1 waits for the signal", told(True, False), [F], [F])
case("core_1_branches_too_soon", "core 1 does not wait", told(False, False), [F], [F], unsaid)
case(
    "core_1_branches_too_soon_and_hangs",
    "core 1 does not wait; with the new flag it then waits for ever",
    told(False, True),
    [F],
    [F],
    unsaid,
    deadlock("scratch1", "@told.wait", 0, 0, 2048, core=1, schedules="some"),
)


def untold(waits):
    """Core 0 branches on a flag that core 1 copies into the output; without it, it would wait for ever."""

    def body(f, o, tab, sem, ready):
        c = lax.axis_index("core")

        @pl.when(c == 1)
        def _():
            writes_flag(f, o, sem, ready, waits, reader=0)

        @pl.when(c == 0)
        def _():
            reads_flag(o, tab, sem, ready, waits)

            @pl.when(tab[0, 0] != 1)
            def _():
                pl.semaphore_wait(ready, 2)

            fills_rest(f, o, sem)

    return meshed(body, like((8, 128), i32), SMEM((1, 128), i32), DMA, REG)


sooner = race("out0", "DMA read @flag.load", "DMA write @flag.store", [[0, 1], [0, 128]], cores=(0, 1))
case("core_0_branches_on_what_it_was_told", "core 0 waits for the signal", untold(True), [F], [F])
case("core_0_branches_too_soon", "core 0 does not wait: what it reads may be nobody's", untold(False), [F], [F], sooner)


# --- remote copies to the own device
def remote(first):
    def kernel(x, o, buf, send, recv):
        me = lax.axis_index("d")
        mesh = pltpu.DeviceIdType.MESH
        c = pltpu.make_async_remote_copy(x, buf, send, recv, device_id=(me,), device_id_type=mesh)
        c.start()  #@ remote.start
        (c.wait_send if first == "send" else c.wait_recv)()
        o[...] = buf[...]  #@ remote.read
        if not first.endswith("only"):
            (c.wait_recv if first == "send" else c.wait_send)()

    return one_device(call(kernel, like((8, 128)), 1, [VMEM((8, 128), f32), DMA, DMA], outs=[VMEM_REF]))


early = race("scratch0", "DMA write @remote.start", "core read @remote.read", WHOLE)
case("sent_is_not_received", "the send semaphore proves no more than the read", remote("send"), [X8], [X8], early)
unsent = left_sem("scratch1", 4096, "@remote.start")
case("send_is_never_awaited", "the copy is proven, its send count stays", remote("receive only"), [X8], [X8], unsent)
case("received_is_all", "the receive semaphore proves both", remote("receive"), [X8], [X8])


# --- windows of two cores, and windows beside a DMA of the body
def in_place(back):
    def kernel(x, o):
        o[...] = x[...] + 100.0

    specs = dict(ins=[rows(8, lambda i: (jnp.maximum(i - back, 0), 0))], outs=[rows(8)], grid=(2,), aliases={0: 0})
    parallel = pltpu.CompilerParams(dimension_semantics=("parallel",))
    return call(kernel, like((16, 128)), 1, cores=2, compiler_params=parallel, **specs)


case("cores_replace_their_own_blocks", "in place, on two cores", in_place(0), [X16], [X16 + 100])
case(
    "cores_read_the_block_before",
    "in place, step i reads block i-1, which another core replaces",
    in_place(1),
    [X16],
    [X16],
    found(
        "race.read-write",
        memory="out0",
        first={"access": "pipeline write", "core": 0, "grid_step": [0]},
        second={"access": "pipeline read", "core": 1, "grid_step": [1]},
        box=WHOLE,
    ),
)


def stores_window(lag):
    """The body stores its input window, and awaits the store `lag` steps later: a window has two slots."""

    def kernel(x, o, sems):
        i = pl.program_id(0)
        store = lambda k: copy(x, o.at[pl.ds(k * 8, 8)], sems.at[k % 2])
        if lag:

            @pl.when(i >= 1)
            def _():
                store(i - 1).wait()

        store(i).start()  #@ stores_window.start
        if not lag:
            store(i).wait()
        else:

            @pl.when(i == 3)
            def _():
                store(i).wait()

    return call(kernel, like((32, 128)), 1, [DMA((2,))], ins=[rows(8)], grid=(4,))


case("window_stored_and_awaited", "each step awaits its store", stores_window(0), [X32], [X32])
case(
    "window_stored_under_its_fetch",
    "the fetch for step i+1 begins with step i, before the store of step i-1 was awaited",
    stores_window(1),
    [X32],
    [X32],
    found(
        "race.read-write",
        memory="in0",
        first=side("DMA read @stores_window.start"),
        second={"access": "pipeline write", "grid_step": [2]},
        box=WHOLE,
    ),
)


# --- semaphores in two dimensions, and a signal that may be met by another
def four_semaphores(left):
    def kernel(x, o, sems):
        for i in range(2):
            for j in range(2):
                at = pl.ds(8 * (2 * i + j), 8)
                cp = copy(x.at[at], o.at[at], sems.at[i, j])
                cp.start()  #@ four_semaphores.start
                if not left or (i, j) != (1, 0):
                    cp.wait()

    return call(kernel, like((32, 128)), 1, [DMA((2, 2))])


left = left_dma("out0", "@four_semaphores.start", "scratch0[1, 0]", 4096, nth=2)
case("one_of_four_semaphores_left", "the third of four is not awaited", four_semaphores(True), [X32], [X32], left)
case("four_semaphores_awaited", "all are", four_semaphores(False), [X32], [X32])

done()
