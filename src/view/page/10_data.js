// SPDX-License-Identifier: Apache-2.0
// What the file holds, as arrays by column. Times are picoseconds; -1 stands for none.
const report = JSON.parse(document.getElementById('data').textContent);
const head = report.timeline;
const texts = report.columns.texts;
const runEnd = Math.max(Math.round(head.end * 1000), 1);
const said = (number) => (number < 0 ? '' : texts[number]);
const fromNs = (ns) => Math.round(ns * 1000);

// A column that was told as one number is that number everywhere.
function numbers(told, count) {
  const all = new Float64Array(count);
  if (Array.isArray(told)) all.set(told);
  else if (told !== undefined) all.fill(told);
  return all;
}

function lists(table, name, count) {
  const of = numbers(table[name + '_of'], count), starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; ++i) starts[i + 1] = starts[i] + of[i];
  const all = numbers(table[name], starts[count]);
  for (let i = 1; i < all.length; ++i) all[i] += all[i - 1];
  return (i) => Array.from(all.subarray(starts[i], starts[i + 1]));
}

function decodeBars(columns) {
  const n = columns.count, table = columns.bars, bars = {n, lane: new Int32Array(n)};
  for (const name of ['line', 'begin', 'lasts', 'moves', 'label', 'block', 'step', 'at', 'bytes', 'open', 'semaphore', 'amount',
    'has', 'flags', 'joined', 'busy']) bars[name] = numbers(table[name], n);
  let i = 0;
  table.of_lane.forEach((count, lane) => {
    for (let first = i; i < first + count; ++i) {
      bars.lane[i] = lane;
      if (i > first) bars.begin[i] += bars.begin[i - 1];
    }
  });
  bars.end = bars.begin.map((begin, k) => begin + bars.lasts[k]);
  bars.moves = bars.moves.map((wait, k) => bars.begin[k] + wait);
  bars.lives = lists(table, 'lives', n);
  bars.proves = lists(table, 'proves', n);
  bars.never = (k) => (bars.flags[k] & 1) !== 0;
  bars.critical = (k) => (bars.flags[k] & 2) !== 0;
  return bars;
}

function decodeContents(table) {
  const n = table.count, c = {n};
  for (const name of ['buffer', 'slot', 'version', 'begin', 'filled', 'last_use', 'reusable', 'block', 'opened_by', 'last_by',
    'joined', 'line']) c[name] = numbers(table[name], n);
  for (let i = 1; i < n; ++i)
    if (c.buffer[i] === c.buffer[i - 1] && c.slot[i] === c.slot[i - 1]) c.begin[i] += c.begin[i - 1];
  for (let i = 0; i < n; ++i) {
    c.filled[i] += c.begin[i];
    c.last_use[i] += c.begin[i];
    if (c.reusable[i] >= 0) c.reusable[i] += c.begin[i];
  }
  // Until when it takes its place in the picture.
  c.until = c.begin.map((begin, i) => {
    let j = i + 1;
    while (j < n && c.buffer[j] === c.buffer[i] && c.slot[j] === c.slot[i] && c.line[j] !== c.line[i]) ++j;
    const next = j < n && c.buffer[j] === c.buffer[i] && c.slot[j] === c.slot[i] ? c.begin[j] : runEnd;
    return Math.max(begin, c.last_use[i], c.reusable[i] >= 0 ? c.reusable[i] : next);
  });
  return c;
}

function decodeCounter(told) {
  const at = Float64Array.from(told.at);
  for (let i = 1; i < at.length; ++i) at[i] += at[i - 1];
  return {...told, at, value: Float64Array.from(told.value)};
}

const bars = decodeBars(report.columns);
// A wait that is never met goes on behind the end of all else, where there is room for what it lacks.
const stuck = Array.from(bars.flags).some((f) => f & 1);
const shownEnd = runEnd + (stuck ? Math.max(runEnd / 2, 1000) : 0);
bars.until = bars.end.map((end, i) => (bars.never(i) ? shownEnd : end));
const contents = decodeContents(report.columns.contents);
const counters = report.columns.counters.map(decodeCounter);
const waitOf = new Map(), copiesOf = new Map();
{
  const table = report.columns.arrows, copy = numbers(table.copy, table.count), wait = numbers(table.wait, table.count);
  copy.forEach((c, i) => {
    waitOf.set(c, wait[i]);
    copiesOf.set(wait[i], [...(copiesOf.get(wait[i]) || []), c]);
  });
}
// A finding and its moments in the picture are of one number.
const faults = head.faults.map((fault, number) => ({
  ...fault, number,
  moments: fault.moments.map((m) => ({...m, bar: m.bar === null ? -1 : m.bar, begin: fromNs(m.begin), end: m.bar !== null && bars.never(m.bar) ? shownEnd : fromNs(m.end)})),
}));
// Whose something is, where there are several: " (core 1)".
function ownerOf(thing) {
  const names = [head.devices > 1 ? `device ${thing.device}` : '', head.cores > 1 ? `core ${thing.core}` : ''].filter(Boolean);
  return names.length ? ` (${names.join(', ')})` : '';
}
