# SPDX-License-Identifier: Apache-2.0
"""Whether a report looks as its data says: loosely, by where things are, and not pixel by pixel. The picture of a page is
taken as a person sees it (a screenshot), and held against the bars of the timeline; what the canvas is told to write is
watched, so that no two texts lie on each other. Each check returns a list of complaints; none is well."""
import base64
import struct
import zlib


def pixels_of(png):
    """Width, height and rows of a PNG of 8 bits without interlacing; a row is bytes, `step` of them a pixel."""
    at, data, width, height, step = 8, b"", 0, 0, 0
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        chunk = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
            assert depth == 8 and colour in (2, 6) and not interlaced, "a PNG of another form"
            step = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            data += chunk
        at += 12 + length
    raw, rows, before = zlib.decompress(data), [], bytearray(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        before = unfiltered(raw[begin], bytearray(raw[begin + 1:begin + 1 + width * step]), before, step)
        rows.append(before)
    return width, height, step, rows


def unfiltered(kind, row, above, step):
    """One row of a PNG without its filter (PNG specification, 9.2)."""
    for i in range(len(row) if kind else 0):
        left, up, corner = row[i - step] if i >= step else 0, above[i], above[i - step] if i >= step else 0
        if kind == 1:
            more = left
        elif kind == 2:
            more = up
        elif kind == 3:
            more = (left + up) // 2
        else:
            guess = left + up - corner
            more = min((left, up, corner), key=lambda v: abs(guess - v))
        row[i] = (row[i] + more) & 255
    return row


# Where the bars of each row of the lanes and slots should be: from the data and the size of the picture, in pixels.
EXPECTED = """(() => { const m = window.millrace, v = m.view, end = Math.max(...m.bars.until, m.head.end * 1000, 1);
  const r = document.getElementById('canvas').getBoundingClientRect(), x = (t) => v.left + 9 + t / end * (v.width - v.left - 18);
  const rows = m.rows.filter((row) => ['lane', 'slot'].includes(row.kind) && row.top - v.scroll + row.height <= v.height).map((row) => ({
    name: row.name, kind: row.kind, top: row.top - v.scroll,
    bars: Array.from(row.items, (i) => (row.kind === 'lane' ? [x(m.bars.begin[i]), x(m.bars.until[i])] :
      [x(m.contents.begin[i]), x(m.contents.last_use[i])])),
    waits: row.kind === 'lane' && m.head.lanes[row.lane].kind === 'wait'}));
  return {rows, left: r.left, top: r.top + scrollY, width: r.width, height: r.height, plot: v.left,
    ground: [1, 3, 5].map((k) => parseInt(m.colours().ground.slice(k, k + 2), 16))}; })()"""


def screenshot_matches(page):
    """In a screenshot each row has its bars where the data has them, and ground where there are none."""
    page.evaluate("window.millrace.select(null); document.activeElement.blur(); window.millrace.show(0, 1e30);"
                  " document.getElementById('view').scrollTop = 0")
    page.settle()
    want = page.evaluate(EXPECTED)
    clip = {"x": want["left"], "y": want["top"], "width": want["width"], "height": want["height"], "scale": 1}
    png = page.call("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
    width, height, step, rows = pixels_of(base64.b64decode(png))
    ground, found = want["ground"], []

    def painted(x, y):
        x, y = int(x), int(y)
        if not (0 <= x < width and 0 <= y < height):
            return False
        at = x * step
        return max(abs(rows[y][at + c] - ground[c]) for c in range(3)) > 10

    for row in want["rows"]:
        middle = row["top"] + (9 if row["kind"] == "slot" else 10)
        columns = range(int(want["plot"]) + 1, width - 1)
        inside = lambda x, by: any(a - by <= x <= b + by for a, b in row["bars"])
        # A wait is hollow, and a text's halo is ground: the edges of a bar are looked at, too.
        seen = lambda x: any(painted(x, middle + d) for d in ((-4, 3) if row["waits"] else (-3, 0, 3, 5)))
        bare = [x for x in columns if inside(x, -2) and not seen(x)]
        if len(bare) > 0.1 * len([x for x in columns if inside(x, -2)]):
            found.append(f"row {row['name']!r}: {len(bare)} columns of its bars are bare, the first at {bare[0]}")
        empty = [x for x in columns if not inside(x, 12)]
        stray = [x for x in empty if painted(x, middle) and painted(x, middle + 2)]
        if len(stray) > 0.1 * len(empty) + 8:
            found.append(f"row {row['name']!r}: {len(stray)} columns beside its bars are painted, the first at {stray[0]}")
    return found


# What the picture is told to paint, with where: the pen is watched while it draws once.
WATCHED = """(() => { const m = window.millrace, pen = document.getElementById('canvas').getContext('2d'), texts = [], boxes = [];
  const write = pen.fillText, fill = pen.fillRect;
  pen.fillText = function (text, x, y) {
    const width = this.measureText(text).width, left = this.textAlign === 'right' ? x - width : this.textAlign === 'center' ? x - width / 2 : x;
    texts.push({text, left, right: left + width, top: y - 9, bottom: y + 2});
    return write.apply(this, arguments);
  };
  pen.fillRect = function (x, y, w, h) { boxes.push({left: x, right: x + w, top: y, bottom: y + h}); return fill.apply(this, arguments); };
  m.select(null);
  m.show(0, 1e30);
  m.draw();
  delete pen.fillText;
  delete pen.fillRect;
  const rows = m.rows.filter((row) => row.y !== undefined).map((row) => ({name: row.name, kind: row.kind, top: row.y, bottom: row.y + row.height}));
  return {texts, boxes, rows, width: m.view.width, height: m.view.height, plot: m.view.left}; })()"""


def laid_out(page):
    """Rows stand one below the other, bars inside of their rows, no text on another or out of the picture."""
    drawn, found = page.evaluate(WATCHED), []
    rows = drawn["rows"]
    for above, below in zip(rows, rows[1:]):
        if below["top"] < above["bottom"] - 0.5:
            found.append(f"row {below['name']!r} begins in row {above['name']!r}")
    for box in drawn["boxes"]:
        tall = box["bottom"] - box["top"]
        if not 4 <= tall <= 40 or box["right"] <= drawn["plot"] or box["top"] < 34:
            continue
        if not any(row["top"] - 0.5 <= box["top"] and box["bottom"] <= row["bottom"] + 0.5 for row in rows):
            found.append(f"a bar at {box['left']:.0f}, {box['top']:.0f} is {tall:.0f} high and in no row")
    texts = drawn["texts"]
    for i, one in enumerate(texts):
        if one["left"] < -0.5 or one["right"] > drawn["width"] + 0.5:
            found.append(f"the text {one['text']!r} leaves the picture")
        for other in texts[:i]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            if across > 1.5 and down > 2.5:
                found.append(f"the texts {other['text']!r} and {one['text']!r} lie on each other")
    return found[:8]


def at_a_glance(page):
    """Findings come first, and the picture still begins where one looks without scrolling."""
    top, findings, height = page.evaluate("""(() => {
      const top = (id) => document.getElementById(id).getBoundingClientRect().top + scrollY;
      return [top('view'), top('findings'), innerHeight]; })()""")
    found = [] if findings < top else ["the findings stand behind the picture"]
    return found + ([] if top < 0.9 * height else [f"the picture begins at {top:.0f} of {height} pixels"])


def says_no_empty_step(page):
    """A kernel without a grid has no steps: none is told, neither of a bar nor of a finding."""
    page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    return page.evaluate("""(() => { const m = window.millrace, said = [document.body.innerText,
        ...Array.from({length: m.bars.n}, (_, i) => m.aboutBar(i))];
      return said.some((text) => text.includes('step ()')) ? ['a step is told that has no number'] : []; })()""")


SVG_TEXTS = """(() => { const all = [...document.querySelectorAll('text')].filter((t) => !t.classList.contains('halo') && t.textContent)
    .map((t) => ({text: t.textContent, r: t.getBoundingClientRect()})), found = [], width = document.documentElement.getBoundingClientRect().width;
  all.forEach((a, i) => {
    if (a.r.left < -0.5 || a.r.right > width + 0.5) found.push(`the text '${a.text}' leaves the picture`);
    all.slice(0, i).forEach((b) => {
      const across = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), down = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
      if (across > 2 && down > 4) found.push(`the texts '${b.text}' and '${a.text}' lie on each other`);
    });
  });
  return found.slice(0, 8); })()"""


def picture_is_legible(page):
    """Of an SVG: no text lies on another or leaves the picture, in the letters of this browser."""
    return page.evaluate(SVG_TEXTS)
