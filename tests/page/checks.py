# SPDX-License-Identifier: Apache-2.0
"""What must hold of a report in a browser. Each check returns a list of complaints; none is well."""
import re

# Roles that a screen reader announces by a name, so that one without is a riddle. (A <details> is a group whose summary
# speaks for it.)
NAMED = {"button", "link", "combobox", "textbox", "checkbox", "img", "image", "application", "table", "region",
         "navigation", "article", "meter", "heading", "listbox", "option", "columnheader", "DisclosureTriangle"}


def quiet(page):
    """No error in the console, no request to anybody."""
    return [f"console: {e}" for e in page.errors] + [f"request: {r}" for r in page.requests]


def named(page):
    return [f"a {role} without a name" for role, name in page.names() if role in NAMED and not name.strip()]


def axe(page, script):
    """What axe-core finds wrong, with all folds open; nothing where there is no script of it."""
    if not script:
        return []
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    page.settle()
    page.evaluate(script + "; 0")
    return page.evaluate("axe.run(document).then((r) => r.violations.map((v) => `axe: ${v.id}, ${v.help}: ${v.nodes[0].html.slice(0, 100)}`))")


CONTRAST = """(() => {
  const parse = (c) => { const m = /rgba?\\(([^)]+)\\)/.exec(c)[1].split(/[ ,/]+/).map(Number);
    return m.length < 4 ? [...m, 1] : m; };
  const luminance = ([r, g, b]) => { const f = (v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
  const below = (e) => { for (; e; e = e.parentElement) { const c = parse(getComputedStyle(e).backgroundColor);
    if (c[3] === 1) return c; if (c[3] !== 0) return null; }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18, 1] : [255, 255, 255, 1]; };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n; n = walker.nextNode()) {
    const e = n.parentElement;
    if (!n.data.trim() || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(e.tagName) || !e.getClientRects().length) continue;
    const ground = below(e), r = ground ? ratio(parse(getComputedStyle(e).color), ground) : 0;
    if (r < 4.5) found.add(`text "${n.data.trim().slice(0, 40)}" has a contrast of ${r.toFixed(2)}`);
  }
  const m = window.millrace;
  if (m) {
    const hex = (c) => [1, 3, 5].map((i) => parseInt(c.slice(i, i + 2), 16));
    const ink = m.colours(), mark = (what, a, b, least) => { const r = ratio(hex(a), hex(b));
      if (r < least) found.add(`${what} has a contrast of ${r.toFixed(2)}`); };
    for (const name of ['ink', 'soft', 'red']) mark(`${name} text in the picture`, ink[name], ink.ground, 4.5);
    for (const name of ['edge', 'red', 'focus']) mark(`${name} marks`, ink[name], ink.ground, 3);
    mark('red text on pale', ink.red, ink.pale, 4.5);
    mark('ink on grey', ink.ink, ink.grey, 4.5);
    ink.line.forEach((line, i) => { mark(`outline ${i}`, line, ink.ground, 3); mark(`outline ${i} on its tint`, line, ink.tint[i], 3);
      mark(`text on tint ${i}`, ink.ink, ink.tint[i], 4.5); });
  }
  return [...found];
})()"""


def contrast(page):
    return page.evaluate(CONTRAST)


def fits(page):
    """Nothing makes the page wider than the window."""
    wide = page.evaluate("document.scrollingElement.scrollWidth")
    return [f"the page is {wide} pixels wide in a window of {page.width}"] if wide > page.width else []


def same_as(page, timeline, dmas=None):
    """Lanes, bars, contents, arrows, findings: as many as the timeline has. `dmas`: how many the machine started."""
    have = page.evaluate("""(() => { const m = window.millrace, at = (l) => m.rows.filter((r) => r.kind === 'lane' && r.lane === l)
      .reduce((n, r) => n + r.items.length, 0);
      return {lanes: m.head.lanes.map((l, i) => [l.name, at(i)]), contents: m.contents.n, faults: m.faults.length,
        end: m.head.end, articles: document.querySelectorAll('article').length,
        moved: [...m.bars.lane].reduce((n, lane, i) => n + (['compute', 'wait'].includes(m.head.lanes[lane].kind) ? 0 : m.bars.joined[i]), 0),
        firsts: [...m.bars.begin.slice(0, 2000)], ends: [...m.bars.end.slice(0, 2000)]}; })()""")
    bars = timeline["bars"]
    want = {"lanes": [[lane["name"], sum(b["lane"] == i for b in bars)] for i, lane in enumerate(timeline["lanes"])],
            "contents": len(timeline["lives"]), "end": timeline["end"],
            "firsts": [round(b["begin"] * 1000) for b in bars[:2000]], "ends": [round(b["end"] * 1000) for b in bars[:2000]]}
    found = [f"{key}: {have[key]}, not {value}" for key, value in want.items() if have[key] != value]
    if have["articles"] != min(have["faults"], 200):
        found.append(f"{have['articles']} findings are told, {have['faults']} drawn")
    if dmas is not None and have["moved"] != dmas:
        found.append(f"{have['moved']} DMAs are drawn, the machine started {dmas}")
    return found


def same_words(page, svg):
    """The words about each bar are those of the SVG."""
    import html
    told = set(map(html.unescape, re.findall(r"<title>(.*?)</title>", svg, re.S)))
    words = page.evaluate("Array.from({length: window.millrace.bars.n}, (_, i) => window.millrace.aboutBar(i))")
    return [f"the SVG does not say: {w}" for w in words if w not in told][:5]


# The picture's pixels, by a canvas of the test's own: reading one often makes it slow.
PIXELS = """const canvas = document.getElementById('canvas'), copy = new OffscreenCanvas(canvas.width, canvas.height);
      const pen = copy.getContext('2d', {willReadFrequently: true});
      const pixels = (x, y, w, h) => { pen.drawImage(canvas, 0, 0); return pen.getImageData(x, y, w, h).data; };
      const rgb = (c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16));"""


def drawn(page):
    """Each of the first bars is there in the picture: at its middle there is something else than ground."""
    return page.evaluate("(() => { " + PIXELS + """
      const m = window.millrace, missing = [], scale = canvas.width / m.view.width;
      for (let i = 0; i < Math.min(m.bars.n, 200); ++i) {
        m.goToBar(i);
        m.select(null);
        m.view.scroll = document.getElementById('view').scrollTop;
        m.draw();
        const row = m.rowOfBar(i), x0 = m.xOf(m.bars.begin[i]), x1 = Math.max(m.xOf(m.bars.end[i]), x0 + 1);
        const left = Math.max(x0, m.view.left), width = Math.max(Math.min(x1, m.view.width) - left, 2);
        const data = pixels(left * scale, (row.y + 3) * scale, width * scale, 14 * scale);
        const want = rgb(m.colours().ground);
        let seen = false;
        for (let k = 0; k < data.length && !seen; k += 4) seen = want.some((v, c) => Math.abs(v - data[k + c]) > 8);
        if (!seen) missing.push(`bar ${i} is not in the picture`);
      }
      m.show(0, m.head.end * 1000);
      return missing; })()""")


def reds(page):
    """How many pixels of the picture are the red of faults."""
    return page.evaluate("(() => { " + PIXELS + """
      window.millrace.draw();
      const data = pixels(0, 0, canvas.width, canvas.height), want = rgb(window.millrace.colours().red);
      let n = 0;
      for (let k = 0; k < data.length; k += 4) n += want.every((v, c) => Math.abs(v - data[k + c]) < 12);
      return n; })()""")


def keyboard(page):
    """Tab reaches each finding's link (where findings are folded, Enter unfolds them), Enter on it zooms to its moment;
    the timeline obeys its keys."""
    found, seen = [], set()
    ids = page.evaluate("[...document.querySelectorAll('article a[id]')].map((a) => a.id)")
    page.evaluate("document.activeElement.blur()")
    for _ in range(400):
        page.key("Tab")
        at = page.evaluate("document.activeElement.id")
        if page.evaluate("document.activeElement.parentElement.id") == "more-findings":
            page.key("Enter")
            page.settle()
        if at in ids and at not in seen:
            seen.add(at)
            if len(seen) == 1:
                found += keyboard_shows(page, at)
                page.evaluate(f"document.getElementById('{at}').focus()")
        if at == "view":
            found += keyboard_moves(page)
        if page.evaluate("document.activeElement === document.body"):
            break
    return found + [f"Tab does not reach {i}" for i in ids if i not in seen]


def state(page):
    return page.evaluate("[window.millrace.view.from, window.millrace.view.to]")


def keyboard_shows(page, link):
    number = int(link.rsplit("-", 1)[1])
    page.key("Enter")
    page.settle()
    begin, end = page.evaluate(f"(() => {{ const m = window.millrace.faults[{number - 1}].moments;"
                               " return [Math.min(...m.map((x) => x.begin)), Math.max(...m.map((x) => x.end))]; })()")
    start, stop = state(page)
    selected = page.evaluate("JSON.stringify(window.millrace.view.selected)")
    found = []
    if not (start <= begin and end <= stop):
        found.append(f"Enter on {link} shows {start} to {stop}, not {begin} to {end}")
    if selected != f'{{"kind":"fault","index":{number - 1}}}':
        found.append(f"Enter on {link} selects {selected}")
    if f"Finding {number}" not in page.evaluate("document.getElementById('selected').textContent"):
        found.append(f"Enter on {link} says nothing of finding {number}")
    return found


def keyboard_moves(page):
    found = []
    page.key("0")
    whole = state(page)
    page.key("+")
    near = state(page)
    if not near[1] - near[0] < whole[1] - whole[0]:
        found.append("+ does not zoom in")
    page.key("ArrowRight")
    if not state(page)[0] > near[0]:
        found.append("the right arrow does not move")
    page.key("Home")
    if state(page)[0] != 0:
        found.append("Home does not go to the beginning")
    page.key("n")
    if not page.evaluate("document.getElementById('selected').textContent"):
        found.append("n selects nothing, or nothing is said of it")
    page.key("Escape")
    page.key("0")
    if state(page) != whole:
        found.append("0 does not show the whole run")
    return found


def pointer(page):
    """Dragging moves, a wheel zooms where the pointer is, a click selects what is there."""
    found = []
    page.evaluate("document.getElementById('view').scrollIntoView({block: 'center', behavior: 'instant'})")
    page.evaluate("window.millrace.show(0, window.millrace.head.end * 1000); document.getElementById('view').focus()")
    page.settle()
    left, top, width = page.evaluate("(() => { const r = document.getElementById('canvas').getBoundingClientRect();"
                                     " return [r.left, r.top, r.width]; })()")
    x, y = left + width * 0.6, top + 60
    page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-600)
    page.settle()
    near = state(page)
    if not near[1] - near[0] < page.evaluate("window.millrace.head.end * 1000") * 0.8:
        found.append("the wheel does not zoom")
    page.mouse("mousePressed", x, y, button="left", clickCount=1)
    for step in range(1, 6):
        page.mouse("mouseMoved", x + 20 * step, y, button="left", buttons=1)
    page.mouse("mouseReleased", x + 100, y, button="left", clickCount=1)
    page.settle()
    if not state(page)[0] < near[0]:
        found.append("dragging to the right does not show what was before")
    bx, by, bar = page.evaluate("""(() => { const m = window.millrace; m.show(0, m.head.end * 1000); m.draw();
      let best = 0; for (let i = 1; i < m.bars.n; ++i) if (m.bars.end[i] - m.bars.begin[i] > m.bars.end[best] - m.bars.begin[best]) best = i;
      return [(m.xOf(m.bars.begin[best]) + m.xOf(m.bars.end[best])) / 2, m.rowOfBar(best).y + 10, best]; })()""")
    page.mouse("mousePressed", left + bx, top + by, button="left", clickCount=1)
    page.mouse("mouseReleased", left + bx, top + by, button="left", clickCount=1)
    page.settle()
    if page.evaluate("JSON.stringify(window.millrace.view.selected)") != f'{{"kind":"bar","index":{bar}}}':
        found.append(f"a click on bar {bar} selects {page.evaluate('JSON.stringify(window.millrace.view.selected)')}")
    if page.evaluate(f"window.millrace.aboutBar({bar})") not in page.evaluate("document.getElementById('selected').textContent"):
        found.append(f"a click on bar {bar} does not say what it is")
    return found


def tables(page):
    """The tables have as many lines as there are bars, and the buttons lead on."""
    page.evaluate("document.querySelectorAll('#numbers details').forEach((d) => { d.open = true; })")
    page.settle()
    n, line, after = page.evaluate("(() => { const at = document.querySelector('#numbers .paged');"
                                   " return [window.millrace.bars.n, at.querySelectorAll('tbody tr').length,"
                                   " at.querySelectorAll('button')[1].disabled]; })()")
    found = [] if line == min(n, 100) else [f"{line} lines in a table of {n} bars"]
    if after != (n <= 100):
        found.append("the button to the next hundred is wrong about whether there is one")
    return found


def proofs(page):
    """A wait that is selected says which DMAs it proves complete, one that is never met what it lacks."""
    return page.evaluate("""(() => { const m = window.millrace, at = document.getElementById('selected'), found = [];
      for (let i = 0; i < m.bars.n; ++i) {
        if (m.head.lanes[m.bars.lane[i]].kind !== 'wait' || m.bars.joined[i] > 1) continue;
        m.select({kind: 'bar', index: i});
        const said = at.textContent, proved = m.bars.proves(i);
        if (m.bars.never(i)) {
          if (!said.includes('never met: there are')) found.push(`wait ${i} does not say what it lacks`);
        } else if (!said.includes(proved.length ? 'It proves complete:' : 'It proves no DMA complete')) {
          found.push(`wait ${i} does not say whether it proves anything`);
        }
        for (const dma of proved) if (!said.includes(m.aboutBar(dma))) found.push(`wait ${i} does not name DMA ${dma}`);
      }
      m.select(null);
      return found; })()""")


def prints_light(page):
    """On paper the picture is light, whatever the screen prefers; afterwards it is as before."""
    return page.evaluate("""(() => { const ground = () => window.millrace.colours().ground, before = ground(), found = [];
      dispatchEvent(new Event('beforeprint'));
      if (ground() !== '#ffffff') found.push(`on paper the ground is ${ground()}`);
      dispatchEvent(new Event('afterprint'));
      if (ground() !== before) found.push(`after printing the ground is ${ground()}, not ${before}`);
      return found; })()""")


def receipts(page):
    """The report's own receipt stands in it: which module, and that no device took part."""
    said = page.evaluate("(document.getElementById('receipts') || {innerText: ''}).innerText")
    sha = page.evaluate("window.millrace.report.receipts[0].implementation_sha256")
    return [f"the receipts do not say {w}" for w in ("none took part", "simulated, ", sha, "What it does not say") if w not in said]


def says_what_is_joined(page):
    """Beside the title of the picture: how many bars are drawn as how many."""
    return page.evaluate("""(() => { const m = window.millrace, at = document.getElementById('joined'), said = at.checkVisibility() ? at.textContent : '';
      const want = m.head.coarse ? `${m.head.coarse.bars} bars drawn as ${m.bars.n}` : '';
      return said.replace(/,/g, '') === want ? [] : [`the picture says ${said || 'nothing'}, not ${want || 'nothing'}`]; })()""")


def excerpts(page):
    """Around each place of a finding stand the source's lines, each on a line of its own, the place itself marked."""
    return page.evaluate("""(() => { const found = [], all = [...document.querySelectorAll('article pre')];
      if (!all.length) found.push('no source is shown');
      for (const pre of all) {
        const walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT), tops = new Set(), numbers = [];
        for (let n = walker.nextNode(); n; n = walker.nextNode()) {
          const range = document.createRange();
          range.selectNodeContents(n);
          for (const r of range.getClientRects()) if (r.width > 0) tops.add(Math.round(r.top));
          numbers.push(Number(/\\d+/.exec(n.data)[0]));
        }
        if (tops.size !== numbers.length) found.push(`${numbers.length} lines of source stand on ${tops.size}`);
        if (numbers.some((n, i) => i > 0 && n !== numbers[i - 1] + 1)) found.push(`lines ${numbers}`);
        if (pre.querySelectorAll('.here').length !== 1) found.push('the place is not marked');
      }
      return found; })()""")
