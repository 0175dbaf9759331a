# SPDX-License-Identifier: Apache-2.0
"""Holds what `millrace compile --json` prints, and receipts of measured runs, against docs/schema/receipt.schema.json,
which must also refuse documents that are wrong; and the receipt that a report has of itself.

    validate_receipts.py MILLRACE SOURCES FAKE_PLUGIN [RECEIPT]...

FAKE_PLUGIN stands in for libtpu (tests/target/fake_plugin.cpp); each RECEIPT is a measured one."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

millrace, sources, plugin = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
failures = []
check = jsonschema.Draft202012Validator(json.loads((sources / "docs/schema/receipt.schema.json").read_text()))
check.check_schema(check.schema)


def changed(document, path, value):
    twin = copy.deepcopy(document)
    place = twin
    for step in path[:-1]:
        place = place[step]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return twin


def must_fit(document, name):
    failures.extend(f"{name}: {list(e.absolute_path)}: {e.message[:200]}" for e in check.iter_errors(document))


def must_not_fit(document, path, value):
    if check.is_valid(changed(document, path, value)):
        failures.append(f"{path} = {value} is accepted")


def compiled(behaviour, *options):
    environment = dict(os.environ, MILLRACE_FAKE=behaviour, MILLRACE_FAKE_DUMPS=str(sources / "tests/target/dumps"))
    command = [millrace, "compile", str(sources / "tests/target/axpy.mlir"), "--libtpu", plugin, "--json", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    if not done.stdout:
        failures.append(f"{command}: exit {done.returncode}: {done.stderr}")
        return None
    return json.loads(done.stdout)


good = compiled("is good")
for name, document in (("accepted", good), ("refused", compiled("refuses")), ("died", compiled("aborts")),
                       ("all chips", compiled("is good", "--all-chips"))):
    if document:
        must_fit(document, name)
if good:
    if good["chips"][0]["bundles"] != 14:
        failures.append("the dumps of the fake were not read")
    must_not_fit(good, ["device"], "TPU v5 lite")
    must_not_fit(good, ["execution"], "measured")
    must_not_fit(good, ["chips"], [])
    must_not_fit(good, ["chips", 0, "verdict"], "maybe")
    must_not_fit(good, ["chips", 0, "vmem", "modeled_bytes"], None)
    must_not_fit(good, ["boundary"], KeyError)
timing = {"name": "k", "compile_seconds": 1, "warm_ups": 5, "samples": 5, "median_ms": 1, "p90_ms": 1, "min_ms": 1}
measured = {
    "schema": 1, "execution": "measured", "device": "cpu", "platform": {"name": "cpu", "version": "1"},
    "implementation_sha256": "0" * 64, "versions": {"millrace": "1", "libtpu": None, "pjrt": "0.98"}, "configuration": {},
    "correctness": {"oracle": "o", "max_abs_error": 0, "tolerance": {"rtol": 0, "atol": 0}, "passed": True},
    "measurement": {**timing, "baselines": [timing]}, "boundary": "b",
}
must_fit(measured, "measured")
must_not_fit(measured, ["device"], None)
must_not_fit(measured, ["correctness"], None)
must_not_fit(measured, ["correctness", "passed"], False)
must_not_fit(measured, ["measurement", "samples"], 4)
must_not_fit(measured, ["measurement", "warm_ups"], 0)
must_not_fit(measured, ["chips"], [])
must_not_fit(measured, ["versions", "llvm"], "22.1")
must_not_fit(measured, ["versions"], {"millrace": "1"})
must_not_fit(measured, ["simulated_chip"], "v5e")
on_cpu = changed(measured, ["versions"], {"millrace": "1", "llvm": "22.1", "matmul": "oneDNN 2.6.3"})
on_cpu["measurement"]["noise"] = "p90 is 1.4 times the median"
on_cpu["measurement"]["calibration"] = {"what": "w", "unit": "GB/s", "best": 1, "share": 0.9, "timing": {**timing, "noise": None}}
must_fit(on_cpu, "measured on a CPU")
must_not_fit(on_cpu, ["versions", "matmul"], KeyError)
must_not_fit(on_cpu, ["versions", "millrace"], KeyError)
must_not_fit(on_cpu, ["measurement", "noise"], "")
must_not_fit(on_cpu, ["measurement", "calibration", "best"], 0)
must_not_fit(on_cpu, ["measurement", "calibration", "timing", "samples"], 4)
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "receipt.json"
    run = [millrace, "run", str(sources / "tests/target/axpy.mlir"), "--fill", "normal:1", "--target", "cpu"]
    done = subprocess.run([*run, "--receipt", str(file)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or "measured: median" not in done.stdout:
        failures.append(f"run --target cpu --receipt: exit {done.returncode}: {done.stderr}")
    else:
        receipt = json.loads(file.read_text())
        must_fit(receipt, "run --target cpu")
        if receipt["platform"]["name"] != "cpu" or receipt["configuration"]["threads"] < 1:
            failures.append("the receipt does not say what ran")
        page = pathlib.Path(folder) / "report.html"
        view = [millrace, "view", str(sources / "tests/target/axpy.mlir"), "--fill", "normal:1", "--html", str(page)]
        subprocess.run([*view, "--receipt", str(file)], check=True, timeout=300)
        text = page.read_text()
        begin = text.index(">", text.index('<script id="data"')) + 1
        own, beside = json.loads(text[begin:text.index("</script>", begin)])["receipts"]
        must_fit(own, "of a report")
        for path, value in ((["execution"], "measured"), (["device"], "TPU v5e"), (["simulated_chip"], KeyError), (["measurement"], {**timing, "baselines": []}), (["versions"], {})):
            must_not_fit(own, path, value)
        if beside != receipt or beside["implementation_sha256"] != own["implementation_sha256"]:
            failures.append("the receipt beside the report's own is another, or of another module")
        page.write_text("{}")
        done = subprocess.run([*view, "--receipt", str(page)], capture_output=True, text=True, timeout=300)
        if done.returncode != 2 or "is no receipt" not in done.stderr:
            failures.append(f"a file that is no receipt: exit {done.returncode}: {done.stderr}")
    # A file that cannot be: nothing is said to have been measured.
    done = subprocess.run([*run, "--receipt", str(file / "no")], capture_output=True, text=True, timeout=300)
    if done.returncode != 2 or "measured" in done.stdout:
        failures.append(f"a receipt that cannot be written: exit {done.returncode}: {done.stdout}")
for file in sys.argv[4:]:
    receipt = json.loads(pathlib.Path(file).read_text())
    must_fit(receipt, file)
    if receipt["execution"] != "measured":
        failures.append(f"{file} is not measured")
print("\n".join(failures) or "receipts: as the schema says")
sys.exit(bool(failures))
