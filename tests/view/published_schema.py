#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads traces back by Perfetto's own schema, from the PyPI package `perfetto`; ends with 77 where that is missing.

  published_schema.py MILLRACE MODULE-OR-CASE...

What the trace processor makes of a trace, the program behind ui.perfetto.dev, trace_processor.py asks.
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


def require(holds, what):
    if not holds:
        raise ValueError(what)


class Read:
    """What a trace says, by the schema: tracks by name, and how many events there are of each kind."""

    def __init__(self, data):
        self.names, self.slices, self.ends, self.instants, self.counts, self.flows = {}, 0, 0, 0, 0, 0
        self.open, self.last = {}, {}
        trace = Trace.FromString(data)
        for packet in trace.packet:
            require(not len(UnknownFieldSet(packet)), "a packet has a field that the schema does not know")
            if packet.HasField("track_descriptor"):
                self.names[packet.track_descriptor.uuid] = packet.track_descriptor.name
            else:
                self.event(packet.timestamp, packet.track_event)

    def event(self, at, event):
        track = event.track_uuid
        require(track in self.names, f"an event on a track that is not described: {track}")
        require(at >= self.last.get(track, 0), f"an event of {self.names[track]} before the one before it")
        self.last[track] = at
        self.slices += event.type == TrackEvent.TYPE_SLICE_BEGIN
        self.ends += event.type == TrackEvent.TYPE_SLICE_END
        self.instants += event.type == TrackEvent.TYPE_INSTANT
        self.counts += event.type == TrackEvent.TYPE_COUNTER
        self.flows += len(event.flow_ids)
        depth = (event.type == TrackEvent.TYPE_SLICE_BEGIN) - (event.type == TrackEvent.TYPE_SLICE_END)
        self.open[track] = self.open.get(track, 0) + depth
        require(0 <= self.open[track] <= 1, f"slices of {self.names[track]} lie in each other")
        require(len(event.flow_ids) + len(event.terminating_flow_ids) <= 64, "more than 64 flows of one event")


def check(data, timeline):
    read = Read(data)
    require(not any(read.open.values()), "a slice does not end")
    moments = sum(len(fault["moments"]) for fault in timeline["faults"])
    require(read.slices + read.instants == len(timeline["bars"]) + moments, f"{read.slices} slices, {read.instants} instants")
    require(read.counts == sum(len(counter["points"]) for counter in timeline["counters"]), f"{read.counts} counts")
    require(read.flows == len(timeline["arrows"]), f"{read.flows} flows")
    for lane in timeline["lanes"]:
        require(lane["name"] in read.names.values(), f"no track {lane['name']}")
    return read


def without(data, wanted):
    """The trace without the first packet of this kind."""
    trace = Trace.FromString(data)
    del trace.packet[next(i for i, packet in enumerate(trace.packet) if wanted(packet))]
    return trace.SerializeToString()


TWINS = {
    "without a track": lambda packet: packet.HasField("track_descriptor") and packet.track_descriptor.name.startswith("load"),
    "without a beginning": lambda packet: packet.track_event.type == TrackEvent.TYPE_SLICE_BEGIN,
    "without an end": lambda packet: packet.track_event.type == TrackEvent.TYPE_SLICE_END,
    "without a count": lambda packet: packet.track_event.type == TrackEvent.TYPE_COUNTER,
}


def main():
    millrace, *kernels = sys.argv[1:]
    for what in kernels:
        with tempfile.TemporaryDirectory() as folder:
            file = folder + "/a.pftrace"
            shown = subprocess.run([millrace, "view", what, "--perfetto", file, "--json"], check=True, capture_output=True)
            with open(file, "rb") as written:
                data = written.read()
        timeline = json.loads(shown.stdout)
        read = check(data, timeline)
        for twin, wanted in TWINS.items():
            try:
                check(without(data, wanted), timeline)
            except (ValueError, StopIteration):
                continue
            sys.exit(f"{what}: a trace {twin} is taken for whole")
        print(f"{what}: {len(read.names)} tracks, {read.slices} slices, {read.instants} instants, {read.counts} counts, {read.flows} flows")


main()
