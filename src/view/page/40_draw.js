// SPDX-License-Identifier: Apache-2.0
// Draws what lies between view.from and view.to. Where bars are thinner than a pixel, what falls into one pixel is drawn
// once, and the search goes on behind it: a frame costs as much as there are pixels, however many bars there are.
const canvas = document.getElementById('canvas');
const pen = canvas.getContext('2d');
const kColours = 8, kPatterns = 4, kBar = 16;
const view = {from: 0, to: shownEnd, scroll: 0, width: 0, height: 0, left: 0, selected: null};
let ink = {}, patterns = new Map(), widths = new Map();

function readColours() {
  const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue(name).trim();
  ink = {line: [], tint: []};
  for (const name of ['ink', 'ground', 'soft', 'rule', 'edge', 'grey', 'red', 'pale', 'focus']) ink[name] = get('--' + name);
  for (let c = 0; c < kColours; ++c) {
    ink.line.push(get('--line' + c));
    ink.tint.push(get('--tint' + c));
  }
  patterns = new Map();
}

function numberOf(letter) {
  let n = 0;
  for (const c of letter) n = n * 26 + c.charCodeAt(0) - 64;
  return Math.max(n - 1, 0);
}
const colourOf = (content) => numberOf(head.buffers[contents.buffer[content]].letter) % kColours;

// Stripes of a slot's number, as view/palette.h has them: rising, falling, dots, a grid.
function patternOf(colour, slot) {
  const key = colour * kPatterns + slot % kPatterns, scale = devicePixelRatio || 1;
  if (patterns.has(key)) return patterns.get(key);
  const tile = document.createElement('canvas'), p = tile.getContext('2d');
  tile.width = tile.height = 8 * scale;
  p.scale(scale, scale);
  p.fillStyle = ink.tint[colour];
  p.fillRect(0, 0, 8, 8);
  p.strokeStyle = ink.line[colour];
  p.globalAlpha = 0.55;
  p.lineWidth = slot % kPatterns === 2 ? 2 : 1.1;
  const strokes = [[0, 8, 8, 0], [0, 0, 8, 8], [3.2, 4, 4.8, 4], [4, 0, 4, 8, 0, 4, 8, 4]][slot % kPatterns];
  p.beginPath();
  for (let i = 0; i < strokes.length; i += 4) {
    p.moveTo(strokes[i], strokes[i + 1]);
    p.lineTo(strokes[i + 2], strokes[i + 3]);
  }
  p.stroke();
  const pattern = pen.createPattern(tile, 'repeat');
  pattern.setTransform(new DOMMatrix().scale(1 / scale));
  patterns.set(key, pattern);
  return pattern;
}

const kTiny = 8;  // pixels: what is smaller has no room for a pattern or a word
const kPale = 0.5;  // of a slot's pattern, while it is filled and a DMA's bytes do not move yet
const kInset = 9;  // room for marks at both ends
const plot = () => view.width - view.left - 2 * kInset;
const xOf = (time) => view.left + kInset + (time - view.from) / (view.to - view.from) * plot();
const timeOf = (x) => view.from + (x - view.left - kInset) / plot() * (view.to - view.from);

function widthOf(text, font) {
  const key = font + text;
  if (!widths.has(key)) {
    if (widths.size > 20000) widths = new Map();
    pen.font = font;
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}
const kFont = '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
const kNames = kFont.replace('11px', '12px');

function box(x0, x1, top, height, fill, stroke, thick = 1, dense = 1) {
  const left = Math.max(x0, view.left - 20), width = Math.min(x1, view.width + 20) - left;
  if (width <= 0) return;
  pen.fillStyle = fill;
  pen.globalAlpha = dense;
  pen.fillRect(left, top, width, height);
  pen.globalAlpha = 1;
  if (!stroke) return;
  pen.strokeStyle = stroke;
  pen.lineWidth = thick;
  pen.strokeRect(left, top, width, height);
}

// The first of the texts for which there is room, from the visible beginning of its bar, behind what stands there already.
function fit(x0, x1, base, texts, behind = 0) {
  const left = Math.max(x0 + behind, view.left) + 3;
  const text = texts.find((t) => t && left + widthOf(t, kFont) <= Math.min(x1, view.width) - 1);
  if (text) write(left, base, text, ink.ink);
}

function write(left, base, text, colour) {
  pen.font = kFont;
  pen.lineJoin = 'round';
  pen.lineWidth = 3;
  pen.strokeStyle = ink.ground;
  pen.strokeText(text, left, base);
  pen.fillStyle = colour;
  pen.fillText(text, left, base);
}

// The slot that a DMA fills or empties; joined DMAs have one where all of them have the same.
function slotOf(bar) {
  const lives = bars.lives(bar);
  if (lives.length) return {colour: colourOf(lives[0]), number: contents.slot[lives[0]]};
  const named = /^([A-Z]+)(\d+)$/.exec(said(bars.label[bar]));
  return named && {colour: numberOf(named[1]) % kColours, number: Number(named[2])};
}

function drawBar(bar, x0, x1, top) {
  const kind = kindOf(bar);
  if (kind === 'wait') {
    if (bars.never(bar)) {
      box(x0, Math.max(x1, x0 + 6), top, kBar, ink.pale, ink.red, 1.5);
      fit(x0, x1, top + 12, labelsOf(bar), kInset - 5);
    } else {
      box(x0, Math.max(x1, x0 + 1.2), top + 4, kBar - 8, ink.ground, ink.edge);
    }
    return;
  }
  const slot = kind === 'compute' ? null : slotOf(bar);
  if (slot) {
    const moves = Math.min(xOf(bars.moves[bar]), x1 - 1);
    const pale = x1 - x0 < kTiny ? ink.tint[slot.colour] : patternOf(slot.colour, slot.number);
    box(x0, x1, top, kBar, pale, ink.line[slot.colour], 0.8, kPale);
    box(Math.max(moves, x0), x1, top, kBar, patternOf(slot.colour, slot.number), ink.line[slot.colour], 1.4);
  } else {
    box(x0, x1, top, kBar, ink.grey, ink.edge);
  }
  if (x1 - x0 > kTiny) fit(x0, x1, top + 12, labelsOf(bar), findingsOf.has(bar) ? kBadge * findingsOf.get(bar) - 7 : 0);
  if (bars.critical(bar)) {
    pen.fillStyle = ink.ink;
    pen.fillRect(Math.max(x0, view.left), top + kBar, Math.min(x1, view.width) - Math.max(x0, view.left), 2);
  }
}

function drawContent(c, x0, top) {
  const colour = colourOf(c), filled = xOf(contents.filled[c]), last = Math.max(xOf(contents.last_use[c]), x0 + 1);
  const pattern = patternOf(colour, contents.slot[c]);
  box(x0, last, top + 3, 12, last - x0 < kTiny ? ink.tint[colour] : pattern, ink.line[colour], 0.8, kPale);
  if (last > filled) box(filled, last, top + 3, 12, pattern, ink.line[colour], 1.2);
  if (contents.joined[c] > 1) {
    fit(x0, last, top + 13, [`${grouped(contents.joined[c])} x`]);
    return;
  }
  fit(x0, last - 6, top + 13, [said(contents.block[c]).replace(/^\S+ /, '')]);
  pen.fillStyle = ink.ink;
  pen.beginPath();
  pen.moveTo(last, top + 7);
  pen.lineTo(last - 4, top + 1);
  pen.lineTo(last + 4, top + 1);
  pen.fill();
  const never = contents.reusable[c] < 0, reusable = xOf(contents.until[c]);
  pen.strokeStyle = never ? ink.red : ink.ink;
  pen.lineWidth = 1;
  if (reusable > last + 1) {
    pen.setLineDash([3, 2]);
    pen.beginPath();
    pen.moveTo(Math.max(last, view.left), top + 9);
    pen.lineTo(Math.min(reusable, view.width), top + 9);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (never) return;
  pen.fillStyle = ink.ground;
  pen.beginPath();
  pen.arc(reusable, top + 9, 2.6, 0, 7);
  pen.fill();
  pen.stroke();
}

// Every item of a row that is seen: `thick` draws it, `thin` a run of what is too thin to be told apart.
function eachSeen(row, begin, end, thick, thin) {
  const {items, until} = row;
  let run = null;
  const flush = () => {
    if (run) thin(run.x0, Math.max(run.x1, run.x0 + 1), run.first);
    run = null;
  };
  for (let i = firstAbove(until, timeOf(view.left) - 1); i < items.length; ++i) {
    const item = items[i], x0 = xOf(begin(item)), x1 = xOf(end(item));
    if (x0 > view.width) break;
    if (x1 - x0 >= 1.5) {
      flush();
      thick(item, x0, x1);
      continue;
    }
    if (run && x0 > run.x1 + 2) flush();
    run = {x0: run ? run.x0 : x0, x1: Math.max(x1, run ? run.x1 : x0), first: run ? run.first : item};
    const behind = timeOf(Math.floor(x1) + 1);
    if (i + 1 < items.length && until[i + 1] < behind) i = firstAbove(until, behind - 1e-9, i + 1) - 1;
  }
  flush();
}

const drawRow = {
  lane(row) {
    eachSeen(row, (b) => bars.begin[b], (b) => bars.until[b], (b, x0, x1) => drawBar(b, x0, x1, row.y + 2), (x0, x1, first) => {
      const kind = kindOf(first), slot = kind === 'wait' || kind === 'compute' ? null : slotOf(first);
      const thin = kind === 'wait' && !bars.never(first) ? 4 : 0;
      pen.fillStyle = bars.never(first) ? ink.red : slot ? ink.line[slot.colour] : ink.edge;
      pen.fillRect(x0, row.y + 2 + thin, x1 - x0, kBar - 2 * thin);
    });
  },
  slot(row) {
    eachSeen(row, (c) => contents.begin[c], (c) => contents.until[c], (c, x0) => drawContent(c, x0, row.y), (x0, x1, first) => {
      pen.fillStyle = ink.line[colourOf(first)];
      pen.fillRect(x0, row.y + 3, x1 - x0, 12);
    });
  },
  fault(row) {
    let free = -Infinity;  // where the texts of this line end
    const ends = (m) => [xOf(m.begin), Math.max(xOf(m.end), xOf(m.begin) + 4)];
    for (const m of row.marks) box(...ends(m), row.y + 2, kBar, ink.pale, ink.red, 1.5);
    row.marks.forEach((m, i) => {
      const [x0, x1] = ends(m), next = i + 1 < row.marks.length ? Math.max(xOf(row.marks[i + 1].begin), x1) : view.width;
      if (x1 < view.left || x0 > view.width) return;
      free = Math.max(free, view.left);
      // In the mark, else behind it, else before it; a shorter text where there is no room.
      for (const text of labelsOfMark(m)) {
        const width = widthOf(text, kFont) + 6, after = Math.max(x1, free);
        const at = Math.max(x0, free) + width <= Math.min(x1, view.width) ? Math.max(x0, free) :
          after + width <= Math.min(next, view.width) ? after : x0 - width >= free ? x0 - width : -1;
        if (at < 0) continue;
        write(at + 3, row.y + 14, text, ink.red);
        free = Math.max(at + width, x1);
        break;
      }
      free = Math.max(free, x0);
    });
  },
  counter(row) { drawCounter(counters[row.counter], row); },
};

function drawCounter(counter, row) {
  const base = row.y + row.height - 4, scale = (row.height - 10) / Math.max(counter.most, 1);
  const to = timeOf(view.width), last = xOf(Math.min(shownEnd, to));  // a run that never ends keeps what it holds
  const from = timeOf(view.left);
  let i = Math.max(firstAbove(counter.at, from) - 1, 0), x = Math.max(view.left, xOf(0));
  let y = base - (counter.at[i] <= from ? counter.value[i] : 0) * scale;
  pen.beginPath();
  pen.moveTo(x, base);
  pen.lineTo(x, y);
  for (; i < counter.at.length && counter.at[i] <= to; ++i) {
    if (counter.at[i] < from) continue;
    // The largest value of a pixel, and where it ends up.
    x = xOf(counter.at[i]);
    const behind = firstAbove(counter.at, timeOf(Math.floor(x) + 1), i);
    let most = counter.value[i];
    for (; i + 1 < behind; ++i) most = Math.max(most, counter.value[i + 1]);
    pen.lineTo(x, y);
    pen.lineTo(x, base - most * scale);
    y = base - counter.value[i] * scale;
    pen.lineTo(x, y);
  }
  pen.lineTo(last, y);
  pen.lineTo(last, base);
  pen.closePath();
  pen.fillStyle = ink.grey;
  pen.fill();
  pen.strokeStyle = ink.edge;
  pen.lineWidth = 1;
  pen.stroke();
}

function drawNames(row) {
  pen.font = kNames;
  pen.textAlign = 'right';
  pen.fillStyle = ink.ink;
  let name = row.name;
  while (name.length > 4 && widthOf(name, kNames) > view.left - 14) name = name.slice(0, -2).replace(/…?$/, '…');
  pen.fillText(name, view.left - 8, row.y + 14);
  if (row.kind === 'counter') {
    pen.fillStyle = ink.soft;
    pen.font = kFont;
    pen.fillText(`most ${grouped(counters[row.counter].most)}`, view.left - 8, row.y + 28);
  }
  pen.textAlign = 'left';
}

function tickOf(span, marks) {
  const raw = span / marks, power = 10 ** Math.floor(Math.log10(raw));
  const ticks = [0.5, 1, 2, 5, 10].map((step) => step * power).filter((tick, i) => i === 0 || tick <= 0.9 * span);
  return ticks.find((tick, i) => i > 0 && raw <= tick) || ticks[ticks.length - 1];
}

function drawAxis() {
  const tick = tickOf(view.to - view.from, Math.max(2, Math.floor((view.width - view.left) / 100)));
  pen.fillStyle = ink.ground;
  pen.fillRect(0, 0, view.width, kTop);
  pen.font = kFont;
  for (let at = Math.ceil(view.from / tick) * tick; at <= view.to; at += tick) {
    const x = xOf(at), text = timeText(Math.abs(at) < tick / 2 ? 0 : at);
    const width = widthOf(text, kFont);
    pen.fillStyle = ink.soft;
    pen.fillText(text, Math.min(Math.max(x - width / 2, view.left), view.width - width - 3), 28);
  }
  // Where in the run this is.
  const span = plot(), left = view.left + kInset;
  box(left, left + span, 4, 6, ink.grey, ink.edge);
  pen.fillStyle = ink.focus;
  pen.fillRect(left + span * view.from / shownEnd, 3, Math.max(span * (view.to - view.from) / shownEnd, 3), 8);
}

function drawGrid() {
  const tick = tickOf(view.to - view.from, Math.max(2, Math.floor((view.width - view.left) / 100)));
  pen.strokeStyle = ink.rule;
  pen.lineWidth = 0.5;
  pen.setLineDash([2, 3]);
  pen.beginPath();
  for (let at = Math.ceil(view.from / tick) * tick; at <= view.to; at += tick) {
    pen.moveTo(xOf(at), kTop);
    pen.lineTo(xOf(at), view.height);
  }
  pen.stroke();
  pen.setLineDash([]);
}

function outline(bar, colour, thick) {
  const row = rowOfBar(bar), x0 = xOf(bars.begin[bar]), x1 = Math.max(xOf(bars.until[bar]), x0 + 3);
  if (x1 < view.left || x0 > view.width) return;
  pen.strokeStyle = colour;
  pen.lineWidth = thick;
  pen.strokeRect(x0 - 1, row.y + 1, x1 - x0 + 2, kBar + 2);
}

function arrow(x1, y1, x2, y2, colour) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
  if (Math.hypot(x2 - x1, y2 - y1) < 2) return;
  pen.beginPath();
  pen.moveTo(x2, y2);
  for (const side of [-0.4, 0.4]) pen.lineTo(x2 - 7 * Math.cos(angle + side), y2 - 7 * Math.sin(angle + side));
  pen.fill();
}

// Issue -> complete -> wait.
function drawArrows(copy) {
  const row = rowOfBar(copy), core = computeRow(copy), x0 = xOf(bars.begin[copy]), x1 = xOf(bars.end[copy]);
  const middle = row.y + 2 + kBar / 2;
  if (core) arrow(x0, core.y + 2 + kBar / 2, x0, middle, ink.ink);
  arrow(x0, middle, x1, middle, ink.ink);
  const wait = waitOf.get(copy);
  if (wait !== undefined) arrow(x1, middle, xOf(bars.end[wait]), rowOfBar(wait).y + 2 + kBar / 2, ink.ink);
}

function related(selected) {
  if (selected.kind === 'content')
    return [contents.opened_by[selected.index], contents.last_by[selected.index]].filter((b) => b >= 0);
  if (selected.kind !== 'bar') return [];
  const bar = selected.index, kind = kindOf(bar);
  if (kind === 'wait') return [...new Set([...bars.proves(bar), ...(copiesOf.get(bar) || [])])];
  if (kind === 'compute') return [...new Set(bars.lives(bar).map((c) => contents.opened_by[c]).filter((b) => b >= 0 && b !== bar))];
  return waitOf.has(bar) ? [waitOf.get(bar)] : [];
}

function drawSelected() {
  const s = view.selected;
  if (!s) return;
  const others = related(s), isDma = (bar) => !['wait', 'compute'].includes(kindOf(bar));
  for (const bar of others.slice(0, 64)) {
    if (isDma(bar)) drawArrows(bar);
    outline(bar, ink.ink, 1.5);
  }
  if (s.kind === 'bar') {
    if (isDma(s.index)) drawArrows(s.index);
    outline(s.index, ink.focus, 3);
  } else if (s.kind === 'content') {
    const row = rowOfContent(s.index), x0 = xOf(contents.begin[s.index]), x1 = Math.max(xOf(contents.last_use[s.index]), x0 + 3);
    pen.strokeStyle = ink.focus;
    pen.lineWidth = 3;
    pen.strokeRect(x0 - 1, row.y + 2, x1 - x0 + 2, 14);
  }
}

// Both accesses in red, with the number of the finding, and what is missing between them. Numbers at one place stand side by side.
const kBadge = 14, findingsOf = new Map();
for (const fault of faults)
  for (const m of fault.moments)
    if (m.bar >= 0) findingsOf.set(m.bar, (findingsOf.get(m.bar) || 0) + 1);

function drawBadge(number, x, y, placed) {
  const there = placed.get(y) || placed.set(y, []).get(y);
  for (const other of there) if (Math.abs(other - x) < kBadge) x = other + kBadge;
  there.push(x);
  there.sort((a, b) => a - b);
  pen.fillStyle = ink.red;
  pen.beginPath();
  pen.arc(x, y, 7, 0, 7);
  pen.fill();
  pen.fillStyle = ink.ground;
  pen.font = kFont;
  pen.textAlign = 'center';
  pen.fillText(String(number), x, y + 4);
  pen.textAlign = 'left';
}

// From the one to the other by the shortest way: straight down where they overlap in time.
function drawLink(one, other) {
  const begin = Math.max(one.x0, other.x0), end = Math.min(one.x1, other.x1), middle = (begin + end) / 2, first = one.x1 < other.x0;
  pen.strokeStyle = ink.red;
  pen.lineWidth = 1.6;
  pen.setLineDash([5, 3]);
  pen.beginPath();
  pen.moveTo(begin <= end ? middle : first ? one.x1 : one.x0, one.y);
  pen.lineTo(begin <= end ? middle : first ? other.x0 : other.x1, other.y);
  pen.stroke();
  pen.setLineDash([]);
}

function drawFaults() {
  const placed = new Map(), badges = [];
  for (const fault of faults) {
    let before = null;
    for (const m of fault.moments) {
      if (m.bar < 0) continue;
      const y = rowOfBar(m.bar).y + 2 + kBar / 2, x0 = xOf(m.begin), x1 = Math.max(xOf(m.end), x0 + 3), spot = {x0, x1, y};
      if (before) drawLink(before, spot);
      before = spot;
      outline(m.bar, ink.red, 2.4);
      if (x0 < view.left || x0 > view.width) continue;
      badges.push([fault.number + 1, x0, y - kBar / 2]);
    }
  }
  for (const [number, x, y] of badges) drawBadge(number, x, y, placed);
}

function draw() {
  pen.setTransform(devicePixelRatio || 1, 0, 0, devicePixelRatio || 1, 0, 0);
  pen.textBaseline = 'alphabetic';
  pen.fillStyle = ink.ground;
  pen.fillRect(0, 0, view.width, view.height);
  const seen = rows.filter((row) => {
    row.y = row.top - view.scroll;
    return row.y < view.height && row.y + row.height > 0;
  });
  pen.save();
  pen.beginPath();
  pen.rect(view.left, 0, view.width - view.left, view.height);
  pen.clip();
  drawGrid();
  for (const row of seen) drawRow[row.kind](row);
  drawFaults();
  drawSelected();
  pen.restore();
  for (const row of seen) {
    drawNames(row);
    if (!row.last) continue;
    pen.fillStyle = ink.rule;
    pen.fillRect(0, row.y + row.height + 2, view.width, 0.6);
  }
  drawAxis();
}
