# SPDX-License-Identifier: Apache-2.0
"""Holds what `millrace bench --json` prints of small kernels against docs/schema/bench.schema.json, which must also
refuse documents that are wrong.

    validate_bench.py MILLRACE SOURCES"""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

millrace, sources = sys.argv[1], pathlib.Path(sys.argv[2])
check = jsonschema.Draft202012Validator(json.loads((sources / "docs/schema/bench.schema.json").read_text()))
check.check_schema(check.schema)
failures = []


def printed(*names):
    command = [millrace, "bench", *names, "--small", "--json", "--threads", "2"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout)


def must_not_fit(document, path, value):
    twin = copy.deepcopy(document)
    place = twin
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    if check.is_valid(twin):
        failures.append(f"{path} = {value} is accepted")


document = printed("cpu")
failures += [f"{list(e.absolute_path)}: {e.message[:200]}" for e in check.iter_errors(document)]
if len(document["contests"]) < 10 or document["contests"][0]["threads"] != 2:
    failures.append("not all rows are there, or not on two threads")
if not document["notes"]:
    failures.append("no note says that peers were left out")
must_not_fit(document, ["execution"], "modeled")
must_not_fit(document, ["contests", 0, "baselines"], [])
must_not_fit(document, ["contests", 0, "baselines", 0, "samples"], 4)
must_not_fit(document, ["contests", 0, "calibration", "best"], 0)
must_not_fit(document, ["contests", 0, "noise"], "")
other = document["contests"][0]["baselines"][0]
must_not_fit(document, ["contests", 0, "millrace"], None if document["contests"][0]["millrace"] else other)
print("\n".join(failures) or "bench: as the schema says")
sys.exit(bool(failures))
