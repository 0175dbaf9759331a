// SPDX-License-Identifier: Apache-2.0
// The rows of the picture, from top to bottom: findings, lanes with their lines, slots, memories. Each row has its items,
// sorted by time, with `until`, the end of the latest item so far: what lets a search begin where something may be seen.
const kLine = 20, kSlotRow = 18, kCounterRow = 38, kGap = 5;

function itemsOf(list, end) {
  const items = Uint32Array.from(list), until = new Float64Array(items.length);
  let latest = -Infinity;
  items.forEach((item, i) => { until[i] = latest = Math.max(latest, end(item)); });
  return {items, until};
}

function laneRows() {
  const lines = head.lanes.map(() => []);
  for (let i = 0; i < bars.n; ++i) {
    const of = lines[bars.lane[i]];
    while (of.length <= bars.line[i]) of.push([]);
    of[bars.line[i]].push(i);
  }
  return head.lanes.flatMap((lane, l) => (lines[l].length ? lines[l] : [[]]).map((list, line, all) => ({
    kind: 'lane', lane: l, line, height: kLine, name: line === 0 ? lane.name : '', last: line === all.length - 1,
    ...itemsOf(list, (i) => bars.until[i]),
  })));
}

function slotRows() {
  const of = head.buffers.map((b) => Array.from({length: b.slots}, () => [[]]));
  for (let i = 0; i < contents.n; ++i) {
    const lines = of[contents.buffer[i]][contents.slot[i]];
    while (lines.length <= contents.line[i]) lines.push([]);
    lines[contents.line[i]].push(i);
  }
  return head.buffers.flatMap((b, buffer) => of[buffer].flatMap((lines, slot) => lines.map((list, line) => ({
    kind: 'slot', buffer, slot, line, height: kSlotRow, last: slot === b.slots - 1 && line === lines.length - 1,
    name: line > 0 ? '' : `${b.letter}${slot} ${b.operand}` + ownerOf(b),
    ...itemsOf(list, (i) => contents.until[i]),
  }))));
}

// Moments of findings: each in the first line that is free, of eight at most.
function faultRows() {
  const marks = faults.flatMap((f) => f.moments.map((m) => ({fault: f, ...m}))).sort((a, b) => a.begin - b.begin);
  const lines = [];
  for (const mark of marks) {
    let line = lines.findIndex((own) => own[own.length - 1].end < mark.begin);
    if (line < 0) line = Math.min(lines.length, 7);
    (lines[line] = lines[line] || []).push(mark);
  }
  return lines.map((own, line) => ({
    kind: 'fault', height: kLine, name: line === 0 ? 'findings' : '', last: line === lines.length - 1, marks: own,
    ...itemsOf(own.map((_, i) => i), (i) => own[i].end),
  }));
}

function counterRows() {
  return counters.map((counter, i) => ({
    kind: 'counter', counter: i, height: kCounterRow, last: true, items: [], until: [],
    name: counter.name + ownerOf(counter),
  }));
}

const rows = [...faultRows(), ...laneRows(), ...slotRows(), ...counterRows()];
const kTop = 34;  // overview and axis, which stay where they are
let contentHeight = kTop + 4;
for (const row of rows) {
  row.top = contentHeight;
  contentHeight += row.height + (row.last ? kGap : 0);
}
const rowOfLane = new Map();
rows.forEach((row) => { if (row.kind === 'lane') rowOfLane.set(`${row.lane}.${row.line}`, row); });
const rowOfSlot = new Map();
rows.forEach((row) => { if (row.kind === 'slot') rowOfSlot.set(`${row.buffer}.${row.slot}.${row.line}`, row); });
const rowOfBar = (bar) => rowOfLane.get(`${bars.lane[bar]}.${bars.line[bar]}`);
const rowOfContent = (c) => rowOfSlot.get(`${contents.buffer[c]}.${contents.slot[c]}.${contents.line[c]}`);
const computeRow = (bar) => {
  const lane = head.lanes[bars.lane[bar]];
  return rows.find((row) => row.kind === 'lane' && head.lanes[row.lane].kind === 'compute' &&
    head.lanes[row.lane].device === lane.device && head.lanes[row.lane].core === lane.core);
};

// The first place in a sorted list whose value is above `above`.
function firstAbove(sorted, above, from = 0) {
  let low = from, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] > above) high = middle;
    else low = middle + 1;
  }
  return low;
}
