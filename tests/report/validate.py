# SPDX-License-Identifier: Apache-2.0
"""Holds what `millrace check` prints, and the cases, against docs/schema/finding.schema.json, and its SARIF against
sarif.schema.json beside this file, which describes the part of SARIF 2.1.0 that is written. MILLRACE_SARIF_SCHEMA may
name a file with the official schema, which is then tried as well. Each schema must also refuse documents that are wrong.

    validate.py MILLRACE SOURCES"""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

HERE = pathlib.Path(__file__).resolve().parent
failures = []


def expect(good, what):
    if not good:
        failures.append(what)


def validator(schema):
    kind = jsonschema.validators.validator_for(schema, jsonschema.Draft202012Validator)
    kind.check_schema(schema)
    return kind(schema)


def faults(check, document):
    return ["/".join(map(str, e.absolute_path)) + ": " + e.message[:200] for e in check.iter_errors(document)]


def changed(document, path, value):
    """A copy with one place set, or taken out where the value is None."""
    twin = copy.deepcopy(document)
    place = twin
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return twin


def check_kernel(millrace, folder, extra, work):
    case = json.loads((folder / "case.json").read_text())
    words = [millrace, "check", str(folder / "kernel.mlirbc"), "--fill", "iota", "--json", "--why-wait"]
    words += ["--outputs", str(len(case["outputs"])), "--sarif", str(work / "found.sarif"), *extra]
    for pair in case.get("aliases", {}).items():
        words += ["--alias", "%s:%s" % pair]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1):
        return None
    return json.loads(ran.stdout), json.loads((work / "found.sarif").read_text())


def try_cases(check, sources):
    count = 0
    for file in sorted([*sources.glob("tests/cases/*/*/case.json"), *sources.glob("tests/data/kernels/*/case.json")]):
        count += 1
        for fault in faults(check, json.loads(file.read_text())):
            failures.append(f"{file}: {fault}")
    expect(count > 50, f"only {count} cases were found")


def try_rules(millrace, check, sources):
    """What the rules of a chip say of a kernel."""
    kernel = sources / "tests/cases/kernels_small/element_window_padded/kernel.mlirbc"
    words = [millrace, "check", str(kernel), "--fill", "iota", "--chip", "v5e", "--json"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    document = json.loads(ran.stdout)
    expect(any(f["id"] == "target.block-shape" for f in document["findings"]), "the rules say nothing")
    failures.extend(f"{kernel.parent.name} on a chip: {fault}" for fault in faults(check, document))


def try_twins(check, document, twins, name):
    expect(not faults(check, document), f"{name} should pass")
    for path, value in twins:
        expect(faults(check, changed(document, path, value)), f"{name} passes with {path} = {value}")


def main():
    millrace, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    schema = json.loads((sources / "docs/schema/finding.schema.json").read_text())
    findings = validator(schema)
    checked = validator({**schema["$defs"]["check"], "$defs": schema["$defs"]})
    case = validator({**schema["$defs"]["case"], "$defs": schema["$defs"]})
    sarif = [validator(json.loads((HERE / "sarif.schema.json").read_text()))]
    if os.environ.get("MILLRACE_SARIF_SCHEMA"):
        sarif.append(validator(json.loads(pathlib.Path(os.environ["MILLRACE_SARIF_SCHEMA"]).read_text())))
    try_cases(case, sources)
    try_rules(millrace, checked, sources)
    faulty = []
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        known = work / "known.json"
        known.write_text('{"schema": 1, "findings": []}')
        for number, folder in enumerate(sorted((sources / "tests/cases/faults_small").iterdir())):
            for extra in [[]] + [["--baseline", str(known)]] * (number % 8 == 0):
                answer = check_kernel(millrace, folder, extra, work)
                if answer is None:
                    continue
                for fault in faults(checked, answer[0]) + faults(findings, answer[0]):
                    failures.append(f"{folder.name}: {fault}")
                for official in sarif:
                    for fault in faults(official, answer[1]):
                        failures.append(f"{folder.name}, SARIF: {fault}")
                if answer[0]["verdict"] == "faulty" and "waiters" not in answer[0]["findings"][0]:
                    faulty.append(answer)
    expect(len(faulty) > 20, f"only {len(faulty)} faulty kernels were checked")
    document, results = faulty[0]
    finding = ["findings", 0]
    try_twins(checked, document, [
        (["schema"], 2), (["verdict"], "right"), (["work"], None), (["seconds", "run"], -1), (finding + ["id"], "race"),
        (finding + ["id"], "novel.id"), (finding + ["message"], None), (finding + ["clause"], "4.2"),
        (finding + ["box"], [[0]]), (finding + ["first", "access"], "core jump"), (finding + ["memory"], "x"),
        (finding + ["novel"], 1), (["schedules", "complete"], 1), (["schedules"], None),
        (["outputs", 0, "sha256"], "00")], "a check")
    result = ["runs", 0, "results", 0]
    for official in sarif:
        try_twins(official, results, [
            (["version"], "2.0.0"), (["runs", 0, "tool"], None), (result + ["message"], None), (result + ["level"], "fatal"),
            (result + ["locations", 0, "physicalLocation", "region", "startLine"], 0), (result + ["baseline"], "new"),
            (["runs", 0, "tool", "driver", "rules", 0, "id"], None)], "SARIF")
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(faulty)} faulty kernels checked, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
