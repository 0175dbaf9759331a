#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads a trace back by Perfetto's own schema, from the PyPI package `perfetto`; ends with 77 where that is missing.

  published_schema.py MILLRACE MODULE-OR-CASE
"""

import json
import subprocess
import sys
import tempfile

try:
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
except ImportError:
    print("the package `perfetto` is not installed; nothing was checked")
    sys.exit(77)


def main():
    millrace, what = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        file = folder + "/a.pftrace"
        shown = subprocess.run([millrace, "view", what, "--perfetto", file, "--json"], check=True, capture_output=True)
        with open(file, "rb") as written:
            trace = Trace.FromString(written.read())
    timeline = json.loads(shown.stdout)
    assert not any(len(UnknownFieldSet(packet)) for packet in trace.packet)
    names, begins, ends, instants, counts, flows = {}, 0, 0, 0, 0, 0
    for packet in trace.packet:
        if packet.HasField("track_descriptor"):
            names[packet.track_descriptor.uuid] = packet.track_descriptor.name
            continue
        event = packet.track_event
        assert event.track_uuid in names, event
        begins += event.type == TrackEvent.TYPE_SLICE_BEGIN
        ends += event.type == TrackEvent.TYPE_SLICE_END
        instants += event.type == TrackEvent.TYPE_INSTANT
        counts += event.type == TrackEvent.TYPE_COUNTER
        flows += len(event.flow_ids)
        assert len(event.flow_ids) + len(event.terminating_flow_ids) <= 64
    moments = sum(len(fault["moments"]) for fault in timeline["faults"])
    assert begins == ends, (begins, ends)
    assert begins + instants == len(timeline["bars"]) + moments, (begins, instants)
    assert counts == sum(len(counter["points"]) for counter in timeline["counters"]), counts
    assert flows == len(timeline["arrows"]), flows
    for lane in timeline["lanes"]:
        assert lane["name"] in names.values(), lane
    print(f"{what}: {len(names)} tracks, {begins} slices, {instants} instants, {counts} counts, {flows} flows")


main()
