// SPDX-License-Identifier: Apache-2.0
// Looking about in the timeline: zoom, pan, selection, by pointer, wheel, keys and buttons.
const frame = document.getElementById('view'), tip = document.getElementById('tip');
let waiting = false;

function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    draw();
  });
}

function layOut(mostHeight) {
  view.width = frame.clientWidth;
  const widest = Math.max(40, ...rows.map((row) => widthOf(row.name, kNames)));
  view.left = 8 + Math.min(widest, Math.max(view.width * 0.28, 140)) + 8;
  const most = mostHeight || parseFloat(getComputedStyle(frame).maxHeight) || 600;
  view.height = Math.max(Math.min(contentHeight, most - 2), 80);
  const scale = devicePixelRatio || 1;
  canvas.width = Math.round(view.width * scale);
  canvas.height = Math.round(view.height * scale);
  canvas.style.width = view.width + 'px';
  canvas.style.height = view.height + 'px';
  document.getElementById('spacer').style.height = Math.max(contentHeight - view.height, 0) + 'px';
  draw();
}

function show(from, to) {
  const least = Math.min(Math.max(runEnd * 1e-8, 10), shownEnd), span = Math.min(Math.max(to - from, least), shownEnd);
  const middle = (from + to) / 2;
  view.from = Math.min(Math.max(middle - span / 2, 0), shownEnd - span);
  view.to = view.from + span;
  document.getElementById('range').textContent = `${timeText(Math.round(view.from))} to ${timeText(Math.round(view.to))}`;
  redraw();
}
function zoom(by, around = (view.from + view.to) / 2) {
  const from = around - (around - view.from) * by, span = (view.to - view.from) * by;
  show(from, from + span);
}
function pan(by) { show(view.from + by, view.to + by); }
const panShare = (share) => pan(share * (view.to - view.from));

function bring(row) {
  if (row.top - view.scroll < kTop) frame.scrollTop = row.top - kTop - 20;
  else if (row.top + row.height - view.scroll > view.height) frame.scrollTop = row.top + row.height - view.height + 20;
}

function select(selected) {
  view.selected = selected;
  tellSelected(selected);
  redraw();
}

// Chosen by keys or a link: also brought into view, wide enough to be seen.
function goTo(selected, begin, end, row) {
  let span = view.to - view.from;
  if (end - begin > span) span = (end - begin) * 1.5;
  if (end > begin && (end - begin) / span * plot() < 6) span = (end - begin) * plot() / 24;
  if (begin < view.from || end > view.to || span < view.to - view.from) {
    const middle = (begin + end) / 2;
    show(middle - span / 2, middle + span / 2);
  }
  select(selected);
  if (row) bring(row);
}
const goToBar = (bar) => goTo({kind: 'bar', index: bar}, bars.begin[bar], bars.until[bar], rowOfBar(bar));
const goToContent = (c) => goTo({kind: 'content', index: c}, contents.begin[c], contents.until[c], rowOfContent(c));

// Around all moments of a finding; far ones stay apart, and the picture says how far.
function goToFault(number) {
  const moments = faults[number].moments;
  if (!moments.length) return;
  const begin = Math.min(...moments.map((m) => m.begin)), end = Math.max(...moments.map((m) => m.end));
  const room = Math.max((end - begin) * 0.4, runEnd / 5000);
  show(begin - room, end + room);
  const bar = moments.map((m) => m.bar).find((b) => b >= 0);
  select({kind: 'fault', index: number});
  if (bar !== undefined) bring(rowOfBar(bar));
}

function rowAt(y) {
  const at = y + view.scroll;
  return y < kTop ? undefined : rows.find((row) => at >= row.top && at < row.top + row.height);
}

// What is at a place of the canvas; of thin things the nearest.
function itemAt(x, y) {
  const row = rowAt(y), time = timeOf(x), near = 4 / plot() * (view.to - view.from);
  if (!row || row.kind === 'counter' || x < view.left) return null;
  const begin = (i) => (row.kind === 'lane' ? bars.begin[i] : row.kind === 'slot' ? contents.begin[i] : row.marks[i].begin);
  const end = (i) => (row.kind === 'lane' ? bars.until[i] : row.kind === 'slot' ? contents.until[i] : row.marks[i].end);
  let best = -1, nearest = near;
  for (let k = firstAbove(row.until, time - near); k < row.items.length && begin(row.items[k]) <= time + near; ++k) {
    const i = row.items[k], away = Math.max(begin(i) - time, time - end(i), 0);
    if (away < nearest || (away === 0 && nearest === 0)) [best, nearest] = [i, away];
  }
  if (best < 0) return null;
  if (row.kind === 'fault') return {kind: 'fault', index: row.marks[best].fault.number};
  return {kind: row.kind === 'lane' ? 'bar' : 'content', index: best};
}

function placeOf(event) {
  const r = canvas.getBoundingClientRect();
  return [event.clientX - r.left, event.clientY - r.top];
}

// The bar before or after in the lane; without a selection the first that is seen.
function step(by) {
  const s = view.selected;
  if (s && s.kind === 'content') return goToContent(Math.min(Math.max(s.index + by, 0), contents.n - 1));
  if (!s || s.kind !== 'bar') {
    const first = rows.find((row) => row.kind === 'lane' && row.items.length);
    if (first) goToBar(first.items[Math.min(firstAbove(first.until, view.from), first.items.length - 1)]);
    return;
  }
  const next = s.index + by;
  if (next >= 0 && next < bars.n && bars.lane[next] === bars.lane[s.index]) goToBar(next);
}

function changeRow(by) {
  const s = view.selected;
  if (!s || s.kind === 'fault') return step(1);
  let at = rows.indexOf(s.kind === 'bar' ? rowOfBar(s.index) : rowOfContent(s.index));
  const begin = s.kind === 'bar' ? bars.begin[s.index] : contents.begin[s.index];
  do at += by; while (rows[at] && (!rows[at].items.length || !['lane', 'slot'].includes(rows[at].kind)));
  const row = rows[at];
  if (!row) return;
  const item = row.items[Math.min(firstAbove(row.until, begin), row.items.length - 1)];
  if (row.kind === 'lane') goToBar(item);
  else goToContent(item);
}

const keys = {
  ArrowLeft: () => panShare(-0.15), ArrowRight: () => panShare(0.15), '+': () => zoom(0.6), '=': () => zoom(0.6),
  '-': () => zoom(1 / 0.6), 0: () => show(0, shownEnd), Home: () => pan(-shownEnd), End: () => pan(shownEnd),
  n: () => step(1), p: () => step(-1), ArrowDown: () => changeRow(1), ArrowUp: () => changeRow(-1), Escape: () => select(null),
};

function hover(event) {
  const [x, y] = placeOf(event), item = itemAt(x, y);
  tip.hidden = !item;
  if (!item) return;
  tip.textContent = item.kind === 'bar' ? aboutBar(item.index) : item.kind === 'content' ? aboutContent(item.index)
    : `${item.index + 1}. ${faults[item.index].id}: ${faults[item.index].message}`;
  const wide = document.documentElement.clientWidth;
  tip.style.left = Math.max(Math.min(event.pageX + 14, wide - tip.offsetWidth - 8), 4) + 'px';
  tip.style.top = event.pageY + 18 + 'px';
}

function listenToPointers() {
  const held = new Map();
  let moved = false;
  frame.addEventListener('pointerdown', (e) => {
    if (e.button !== 0 || e.target !== canvas) return;
    held.set(e.pointerId, e.clientX);
    moved = false;
    frame.setPointerCapture(e.pointerId);
  });
  frame.addEventListener('pointermove', (e) => {
    if (!held.has(e.pointerId)) return hover(e);
    tip.hidden = true;
    const before = held.get(e.pointerId), perPixel = (view.to - view.from) / plot();
    if (Math.abs(e.clientX - before) < 3 && !moved) return;
    moved = true;
    frame.classList.add('dragging');
    held.set(e.pointerId, e.clientX);
    if (held.size === 1) return pan((before - e.clientX) * perPixel);
    const [a, b] = [...held.entries()].map(([id, x]) => (id === e.pointerId ? [before, x] : [x, x]));
    const r = canvas.getBoundingClientRect();
    zoom(Math.max(Math.abs(a[0] - b[0]), 10) / Math.max(Math.abs(a[1] - b[1]), 10), timeOf((a[1] + b[1]) / 2 - r.left));
  });
  for (const name of ['pointerup', 'pointercancel'])
    frame.addEventListener(name, (e) => {
      const was = held.delete(e.pointerId);
      frame.classList.remove('dragging');
      if (!was || moved || name === 'pointercancel') return;
      const item = itemAt(...placeOf(e));
      select(item);
      if (item) frame.focus({preventScroll: true});
    });
  frame.addEventListener('pointerleave', () => { tip.hidden = true; });
  frame.addEventListener('wheel', (e) => {
    if (!e.ctrlKey && !e.metaKey && document.activeElement !== frame) return;
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) return panShare((e.deltaX || e.deltaY) / 1000);
    zoom(Math.min(Math.max(1.0015 ** e.deltaY, 0.5), 2), timeOf(placeOf(e)[0]));
  }, {passive: false});
}

function listen() {
  listenToPointers();
  frame.addEventListener('keydown', (e) => {
    const does = keys[e.key];
    if (!does || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    does();
  });
  frame.addEventListener('scroll', () => {
    view.scroll = frame.scrollTop;
    redraw();
  });
  const on = (id, does) => document.getElementById(id).addEventListener('click', does);
  on('zoom-in', keys['+']);
  on('zoom-out', keys['-']);
  on('zoom-all', keys[0]);
  on('earlier', () => panShare(-0.5));
  on('later', () => panShare(0.5));
  on('previous', () => step(-1));
  on('next', () => step(1));
  new ResizeObserver(() => layOut()).observe(frame.parentElement);
  const recolour = () => {
    readColours();
    redraw();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', recolour);
  let opened = [];
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll('#findings details:not([open])')];
    for (const fold of opened) fold.open = true;
    document.documentElement.dataset.theme = 'light';
    readColours();
    layOut(6000);
  });
  addEventListener('afterprint', () => {
    for (const fold of opened) fold.open = false;
    delete document.documentElement.dataset.theme;
    readColours();
    layOut();
  });
}
