# SPDX-License-Identifier: Apache-2.0
"""Reports in a headless Chromium: `run.py MILLRACE [--shots FOLDER] [--long]`. Exit 1 where something does not hold."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import checks
import layout
from browser import Browser, BrowserError, find_browser

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE.parent / "cases"
MANY = "faults_small/kv_share_one_semaphore"
REPORTS = {"race": "faults_small/slot_rewritten_under_store", "deadlock": "faults_small/wait_for_more_bytes",
           "clean": "kernels_small/bounded_slice_rows", "cores": "two_cores/second_core_reads_too_soon", "many": MANY}
# A million bars, and rather more; a few of them joined.
LONG_TURNS, SHORT_TURNS, MOST_BYTES = 210_000, 4_000, 20_000_000


class Kit:
    def __init__(self, millrace, folder, shots, axe):
        self.millrace, self.folder, self.shots, self.faults = millrace, pathlib.Path(folder), shots, 0
        self.axe = pathlib.Path(axe).read_text() if axe else ""

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
        complaints += layout.screenshot_matches(page) + layout.laid_out(page) + layout.at_a_glance(page)
        if form == "wide":
            complaints += checks.same_as(page, timeline, dmas) + checks.keyboard(page) + checks.pointer(page)
            complaints += checks.tables(page) + checks.proofs(page) + checks.receipts(page) + checks.says_what_is_joined(page)
        complaints += checks.prints_light(page) + layout.says_no_empty_step(page)
        complaints += checks.named(page) + checks.contrast(page) + checks.fits(page) + checks.quiet(page) + checks.axe(page, kit.axe)
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
    folded = layout.at_a_glance(page) + layout.laid_out(page)
    joined, bars = page.evaluate("[[...window.millrace.bars.joined].reduce((a, b) => a + b, 0), window.millrace.bars.n]")
    whole = (data["timeline"]["coarse"] or {"bars": bars})["bars"]
    complaints = [] if size < MOST_BYTES else [f"{size} bytes"]
    if joined != whole or joined < 5 * turns:
        complaints.append(f"the {bars} bars stand for {joined}, not for {whole} ({turns} turns)")
    complaints += folded + checks.says_what_is_joined(page) + checks.fits(page) + checks.pointer(page) + checks.named(page) + checks.quiet(page)
    kit.say(f"{name}: {turns} turns, {whole} bars in {bars}, {size} bytes", complaints)
    page.close()


def with_sources(kit, browser):
    """A report made where the kernel's source is at hand."""
    case = kit.folder / "sources"
    shutil.copytree(CASES / REPORTS["race"], case)
    (case / "out_slot_write.py").write_text("".join(f"    value = {n}  # a line of the kernel, the {n}th of twenty of them\n" for n in range(1, 21)))
    text = kit.report("sources", case)[0].read_text()
    twin = replaced(text, "pre .here{display:block;", "pre .here{display:inline-block;")
    for width, name in ((1280, "wide"), (360, "phone")):
        for what, page_text in (("sources", text), ("twin", twin)):
            path = kit.folder / "sources.html"
            path.write_text(page_text)
            page = browser.open(path.as_uri(), width=width, mobile=width < 500)
            page.evaluate("document.querySelectorAll('article details').forEach((d) => { d.open = true; })")
            if what == "twin":
                kit.twin(f"a line of source beside another, {name},", checks.excerpts(page))
            else:
                kit.shot(page, f"sources-{name}")
                kit.say(f"sources, {name}", checks.excerpts(page) + checks.fits(page) + checks.contrast(page) + checks.axe(page, kit.axe))
            page.close()


def pictures(kit, browser):
    """SVGs as a page and as a phone show them."""
    for name, case in {**REPORTS, "flash": "own/fa_alibi"}.items():
        complaints = []
        for width in (320, 390, 1000):
            path = kit.folder / f"{name}-{width}.svg"
            kit.view(CASES / case, "--svg", str(path), "--width", str(width))
            page = browser.open(path.as_uri(), width=width)
            complaints += [f"{width} pixels wide: {c}" for c in layout.picture_is_legible(page)]
            page.close()
        kit.say(f"{name}, the SVG in three widths", complaints)
    text = (kit.folder / "race-390.svg").read_text()
    for what, more in (("a text on another in an SVG", '<text x="20" y="24">on the title</text>'), ("a text out of an SVG", '<text x="380" y="5">too far</text>')):
        path = kit.folder / "twin.svg"
        path.write_text(text.replace("</svg>", more + "</svg>"))
        page = browser.open(path.as_uri(), width=390)
        kit.twin(what, layout.picture_is_legible(page))
        page.close()


PANEL = {"execution": "compiled", "device": None, "libtpu": "0.0.37", "of": "this kernel", "boundary": "Bundles are no time.", "tiles": [
    {"name": "8x128", "chips": [{"compiled_for": chip, "verdict": "accepted", "reason": None, "step_bundles": step, "trips": 2048,
                                 "vmem": 24576, "modeled_vmem": 24576} for chip, step in (("v5e", 64), ("v6e", 86), ("tpu7x", None))]},
    {"name": "9x100", "chips": [{"compiled_for": chip, "verdict": "refused", "reason": "no such tile", "step_bundles": None, "trips": None,
                                 "vmem": None, "modeled_vmem": 0} for chip in ("v5e", "v6e", "tpu7x")]}]}


def compiled_panel(kit, browser):
    """The compiler's answer: a line a tile, a column a chip, and what it is not; without one there is no such part."""
    text = kit.report("race", CASES / REPORTS["race"])[0].read_text()
    path = kit.folder / "panel.html"
    path.write_text(replaced(text, '"compiled":null', '"compiled":' + json.dumps(PANEL)))
    for width, name in ((1280, "wide"), (360, "phone")):
        page = browser.open(path.as_uri(), width=width, mobile=width < 500)
        page.evaluate("document.getElementById('compiled').scrollIntoView({behavior: 'instant'})")
        kit.shot(page, f"panel-{name}")
        said = page.evaluate("document.getElementById('compiled').innerText")
        wanted = ("Nothing was run", "Bundles are no time.", "v5e", "v6e", "tpu7x", "8x128", "64 bundles a step, 2,048 passes",
                  "? bundles a step", "VMEM 24,576 bytes (modeled 24,576)", "refused: no such tile")
        complaints = [f"the panel does not say {w}" for w in wanted if w not in said]
        bars = page.evaluate("[...document.querySelectorAll('#compiled .bundles')].map((b) => b.getBoundingClientRect().width)")
        if not (len(bars) == 3 and abs(bars[0] * 86 - bars[1] * 64) < 86):
            complaints.append(f"bars of {bars} pixels for 64 and 86 bundles")
        complaints += checks.fits(page) + checks.named(page) + checks.contrast(page) + checks.quiet(page) + checks.axe(page, kit.axe)
        kit.say(f"compiled for, {name}", complaints)
        page.close()
    page = browser.open(kit.report("race", CASES / REPORTS["race"])[0].as_uri())
    kit.say("no panel without a compiler", [] if page.evaluate("document.getElementById('compiled')") is None else ["there is one"])
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
    if kit.axe:
        broken("a button without a name, by axe,", lambda p: checks.axe(p, kit.axe), with_body('<button type="button"></button>'))
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
    layout_twins(kit, browser, text)
    broken("a receipt that is not told", checks.receipts, replaced(text, "putReceipts();\n", ""))
    broken("a badge of joined bars where none are", checks.says_what_is_joined, replaced(text, 'id="joined" hidden', 'id="joined"').replace("</main>", "</main><script>joined.textContent = 'all of them'</script>"))
    broken("another word", lambda p: checks.same_words(p, "<title>something else</title>"), text)


def replaced(text, old, new):
    """The text with one change, which is there to be made: else the twin would be no twin."""
    if text.count(old) != 1:
        raise SystemExit(f"FAIL the page has {text.count(old)} places {old!r}")
    return text.replace(old, new)


def layout_twins(kit, browser, race):
    """Pages that look wrong, each in one way."""
    many = kit.report("many", CASES / MANY)[0].read_text()

    def broken(what, check, text, old, new, width=1280):
        path = kit.folder / "twin.html"
        path.write_text(replaced(text, old, new))
        page = browser.open(path.as_uri(), width=width, mobile=width < 500)
        kit.twin(what, check(page))
        page.close()

    broken("bars that leave their lanes", layout.laid_out, race, "kBar = 16", "kBar = 27")
    broken("lanes on each other", layout.laid_out, race, "contentHeight += row.height +", "contentHeight += row.height - 9 +")
    broken("texts on each other", layout.laid_out, many,
           "  if (text) write(left, base, text, ink.ink);", "  write(left, base, texts[0] + ', which goes on and on'.repeat(9), ink.ink);")
    broken("numbers of findings on each other", layout.laid_out, many, "if (Math.abs(other - x) < kBadge) x = other + kBadge;", ";")
    broken("bars at other times", layout.screenshot_matches, race, "const xOf = (time) => view.left + kInset +",
           "const xOf = (time) => view.left + kInset + 60 +")
    broken("a picture that is drawn out", layout.screenshot_matches, race, "canvas.style.height = view.height + 'px'",
           "canvas.style.height = 1.2 * view.height + 'px'")
    broken("a lane without its bars", layout.screenshot_matches, race, "  if (x1 - x0 > kTiny) fit(x0, x1, top + 12, labelsOf(bar),",
           "  if (kind === 'store') pen.clearRect(0, top - 2, view.width, 22);\n  else fit(x0, x1, top + 12, labelsOf(bar),")
    broken("findings that push the picture away", layout.at_a_glance, many, "const kTold = innerWidth < 640 ? 1 : 3;", "const kTold = 300;")
    broken("findings behind a fold that no key opens", checks.keyboard, many, "make('details', {id: 'more-findings'}",
           "make('div', {hidden: '', id: 'more-findings'}")
    broken("a step without a number", layout.says_no_empty_step, race, "(step ? `, step ${step}` : '')", "`, step (${step})`")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millrace")
    parser.add_argument("--shots", help="a folder for screenshots")
    parser.add_argument("--axe", help="axe-core's script, to check pages with, too")
    parser.add_argument("--long", action="store_true", help="a run of more than a million events, too")
    options = parser.parse_args()
    if find_browser() is None:
        raise SystemExit("no Chromium here; scripts/setup.sh page installs Debian's")
    if options.shots:
        os.makedirs(options.shots, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="millrace-page-") as folder:
        kit = Kit(os.path.abspath(options.millrace), folder, options.shots, options.axe)
        try:
            with Browser() as browser:
                ordinary(kit, browser)
                pictures(kit, browser)
                with_sources(kit, browser)
                compiled_panel(kit, browser)
                twins(kit, browser)
                long_run(kit, browser, LONG_TURNS if options.long else SHORT_TURNS, "long" if options.long else "longer")
        except BrowserError as error:
            raise SystemExit(f"FAIL {error}")
    print(f"{'PASS' if kit.faults == 0 else 'FAIL'}: reports in a browser")
    sys.exit(kit.faults != 0)


if __name__ == "__main__":
    main()
