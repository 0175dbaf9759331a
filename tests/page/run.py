# SPDX-License-Identifier: Apache-2.0
"""Reports in a headless Chromium: `run.py MILLRACE [--shots FOLDER] [--long]`. Exit 1 where something does not hold."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import checks
from browser import Browser, BrowserError, find_browser

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent / "cases"
REPORTS = {"race": "faults_small/slot_rewritten_under_store", "deadlock": "faults_small/wait_for_more_bytes",
           "clean": "kernels_small/bounded_slice_rows", "cores": "two_cores/second_core_reads_too_soon"}
# A million events, and rather more; a few of them joined.
LONG_TURNS, SHORT_TURNS, MOST_BYTES = 110_000, 4_000, 20_000_000


class Kit:
    def __init__(self, millrace, folder, shots):
        self.millrace, self.folder, self.shots, self.faults = millrace, pathlib.Path(folder), shots, 0

    def view(self, module, *more):
        done = subprocess.run([self.millrace, "view", str(module), *more], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"millrace view {module} {' '.join(more)}: {done.stderr}")
        return done.stdout

    def report(self, name, module, *more):
        page = self.folder / f"{name}.html"
        return page, json.loads(self.view(module, "--html", str(page), "--json", *more))

    def say(self, what, complaints):
        self.faults += len(complaints)
        print(f"{'ok  ' if not complaints else 'FAIL'} {what}", flush=True)
        for c in complaints:
            print(f"       {c}")

    # The twin is broken on purpose: a check that is content with it would be content with anything.
    def twin(self, what, complaints):
        self.say(f"twin: {what} is found", [] if complaints else ["nothing was found"])

    def shot(self, page, name):
        if self.shots:
            page.screenshot(os.path.join(self.shots, f"{name}.png"))


def everywhere(kit, browser, name, path, timeline, dmas):
    """One report in each form: wide and of a phone's width, light and dark."""
    for form, width, height, dark in (("wide", 1280, 900, False), ("wide-dark", 1280, 900, True), ("phone", 360, 800, False),
                                      ("phone-dark", 360, 800, True)):
        page = browser.open(path.as_uri(), width=width, height=height, dark=dark, mobile=width < 500)
        kit.shot(page, f"{name}-{form}")
        complaints = checks.fits(page) + checks.contrast(page) + checks.drawn(page)
        if form == "wide":
            complaints += checks.same_as(page, timeline, dmas) + checks.keyboard(page) + checks.pointer(page)
            complaints += checks.tables(page) + checks.proofs(page)
        complaints += checks.prints_light(page)
        complaints += checks.named(page) + checks.contrast(page) + checks.fits(page) + checks.quiet(page)
        kit.say(f"{name}, {form}", complaints)
        page.close()


def data_of(path):
    text = path.read_text()
    begin = text.index(">", text.index('<script id="data"')) + 1
    return json.loads(text[begin:text.index("</script>", begin)])


def ordinary(kit, browser):
    for name, case in REPORTS.items():
        path, timeline = kit.report(name, CASES / case)
        everywhere(kit, browser, name, path, timeline, data_of(path)["check"]["work"]["dmas"])
        svg = kit.folder / f"{name}.svg"
        kit.view(CASES / case, "--svg", str(svg))
        page = browser.open(path.as_uri())
        kit.say(f"{name}, the words of the SVG", checks.same_words(page, svg.read_text()))
        red = checks.reds(page)
        faulty = data_of(path)["check"]["verdict"] == "faulty"
        kit.say(f"{name}, red where there is a fault", [] if (red > 100) == faulty else [f"{red} red pixels"])
        page.close()


def long_run(kit, browser, turns, name):
    module = kit.folder / f"{name}.mlir"
    module.write_text((HERE / "round_trips.mlir").read_text().replace("value = 100 : i32", f"value = {turns} : i32"))
    path = kit.folder / f"{name}.html"
    kit.view(module, "--fill", "iota", "--html", str(path))
    size, data = path.stat().st_size, data_of(path)
    page = browser.open(path.as_uri())
    kit.shot(page, name)
    joined, bars = page.evaluate("[[...window.millrace.bars.joined].reduce((a, b) => a + b, 0), window.millrace.bars.n]")
    whole = (data["timeline"]["coarse"] or {"bars": bars})["bars"]
    complaints = [] if size < MOST_BYTES else [f"{size} bytes"]
    if joined != whole or joined < 5 * turns:
        complaints.append(f"the {bars} bars stand for {joined}, not for {whole} ({turns} turns)")
    complaints += checks.fits(page) + checks.pointer(page) + checks.named(page) + checks.quiet(page)
    kit.say(f"{name}: {turns} turns, {whole} bars in {bars}, {size} bytes", complaints)
    page.close()


def twins(kit, browser):
    race, _ = kit.report("race", CASES / REPORTS["race"])
    text = race.read_text()
    policy = text[text.index("<meta http-equiv"):text.index("<meta name=\"color-scheme\"")]

    def broken(what, check, changed):
        path = kit.folder / "twin.html"
        path.write_text(changed)
        page = browser.open(path.as_uri(), width=360, mobile=True, dark=check is checks.prints_light)
        kit.twin(what, check(page))
        page.close()

    def with_body(more):
        return text.replace("</main>", more + "</main>")

    outside = '<img alt="x" src="https://millrace.invalid/x.png">'
    broken("a picture from elsewhere, which the policy forbids", checks.quiet, with_body(outside))
    broken("a picture from elsewhere, without the policy", lambda p: p.requests, with_body(outside).replace(policy, ""))
    broken("an error of the script", checks.quiet, text.replace("readColours();\nputFindings", "nothing();\nputFindings"))
    broken("a button without a name", checks.named, with_body('<button type="button"></button>'))
    broken("a text that is too pale", checks.contrast, with_body('<p style="color:#999">pale</p>'))
    broken("a line that is too pale", checks.contrast, text.replace("--red:#b3140b", "--red:#e9a9a5"))
    broken("a page that is too wide", checks.fits, with_body('<div style="width:500px">wide</div>'))
    broken("a link that no key reaches", checks.keyboard, text.replace("{href: '#timeline', id:", "{tabindex: '-1', href: '#timeline', id:"))
    broken("a link that shows nothing", checks.keyboard, text.replace("  goToFault(number);", "  ;"))
    broken("a picture without bars", checks.drawn, text.replace("  for (const row of seen) drawRow[row.kind](row);", "").replace("  drawFaults();", ""))
    broken("a wait that says nothing", checks.proofs, text.replace("'It proves complete:'", "''"))
    broken("a picture that prints as it is", checks.prints_light, text.replace("dataset.theme = 'light'", "dataset.theme = 'dark'"))
    broken("deaf to the pointer", checks.pointer, text.replace("  listenToPointers();", ""))
    other = json.loads(kit.view(CASES / REPORTS["clean"], "--json"))
    broken("the timeline of another kernel", lambda p: checks.same_as(p, other), text)
    broken("a DMA that is not drawn", lambda p: checks.same_as(p, json.loads(kit.view(CASES / REPORTS["race"], "--json")), 4), text)
    broken("another word", lambda p: checks.same_words(p, "<title>something else</title>"), text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millrace")
    parser.add_argument("--shots", help="a folder for screenshots")
    parser.add_argument("--long", action="store_true", help="a run of more than a million events, too")
    options = parser.parse_args()
    if find_browser() is None:
        raise SystemExit("no Chromium here; scripts/setup.sh page installs Debian's")
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="millrace-page-") as folder:
        kit = Kit(os.path.abspath(options.millrace), folder, options.shots)
        try:
            with Browser() as browser:
                ordinary(kit, browser)
                twins(kit, browser)
                long_run(kit, browser, LONG_TURNS if options.long else SHORT_TURNS, "long" if options.long else "longer")
        except BrowserError as error:
            raise SystemExit(f"FAIL {error}")
    print(f"{'PASS' if kit.faults == 0 else 'FAIL'}: reports in a browser")
    sys.exit(kit.faults != 0)


if __name__ == "__main__":
    main()
