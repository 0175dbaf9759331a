// SPDX-License-Identifier: Apache-2.0
// The timeline in numbers: every bar, every content of a slot, every memory over time, a hundred lines at a time.
const kPage = 100;

// `lineOf(i)` makes the cells of item i, where they are needed.
function paged(title, columns, filters, lineOf) {
  const at = make('div', {class: 'paged'}), held = make('div'), says = make('span', {role: 'status', 'aria-live': 'polite'});
  let list = [], page = 0;
  const turn = (to) => {
    page = Math.min(Math.max(to, 0), Math.max(Math.ceil(list.length / kPage) - 1, 0));
    const from = page * kPage, shown = Array.from(list.slice(from, from + kPage));
    held.replaceChildren(tableOf(title, columns, shown.map(lineOf)));
    says.textContent = list.length ? `${grouped(from + 1)} to ${grouped(from + shown.length)} of ${grouped(list.length)}` : 'none';
    before.disabled = page === 0;
    after.disabled = from + kPage >= list.length;
  };
  const before = make('button', {type: 'button', 'aria-label': `${title}: the hundred before`, onclick: () => turn(page - 1)}, '←');
  const after = make('button', {type: 'button', 'aria-label': `${title}: the next hundred`, onclick: () => turn(page + 1)}, '→');
  const pick = make('select', {'aria-label': `${title}: of which`}, ...filters.map(([name], i) => make('option', {value: i}, name)));
  const choose = () => {
    list = filters[Number(pick.value)][1]();
    turn(0);
  };
  pick.addEventListener('change', choose);
  at.append(make('div', {class: 'toolbar pager'}, pick, before, after, says), held);
  choose();
  return at;
}

const range = (n) => Array.from({length: n}, (_, i) => i);
const showBar = (bar) => link(String(bar), () => { frame.scrollIntoView({block: 'nearest'}); goToBar(bar); }, `Show bar ${bar}`);
const showContent = (c) => link(slotName(c), () => { frame.scrollIntoView({block: 'nearest'}); goToContent(c); },
  `Show content ${contents.version[c]} of slot ${slotName(c)}`);

function barTable() {
  const lanes = head.lanes.map((lane, l) => [lane.name, () => range(bars.n).filter((i) => bars.lane[i] === l)]);
  return paged('Bars', [['Bar'], ['Lane'], ['What'], ['Step'], ['Begin', 1], ['Moves', 1], ['End', 1], ['Lasts', 1], ['Place']],
    [['all lanes', () => range(bars.n)], ...lanes], (i) => [showBar(i), laneName(i), whatOf(i), said(bars.step[i]), timeText(bars.begin[i]),
      bars.moves[i] > bars.begin[i] ? timeText(bars.moves[i]) : '', timeText(bars.end[i]), timeText(bars.lasts[i]), said(bars.at[i])]);
}

function contentTable() {
  const buffers = head.buffers.map((b, k) => [`${b.letter}: ${b.operand || b.name}` + ownerOf(b),
    () => range(contents.n).filter((c) => contents.buffer[c] === k)]);
  return paged('What slots hold', [['Slot'], ['Holds'], ['Content', 1], ['Begun', 1], ['There', 1], ['Last use', 1], ['Free for reuse', 1]],
    [['all buffers', () => range(contents.n)], ...buffers], (c) => [showContent(c),
      contents.joined[c] > 1 ? `${grouped(contents.joined[c])} contents` : said(contents.block[c]), contents.version[c], timeText(contents.begin[c]),
      timeText(contents.filled[c]), timeText(contents.last_use[c]), contents.reusable[c] < 0 ? 'never known' : timeText(contents.reusable[c])]);
}

function counterTable() {
  const name = (c) => c.name + ownerOf(c);
  let chosen = 0;
  return paged('Over time', [['From'], ['Value', 1], ['Unit']], counters.map((c, k) => [`${name(c)}: at most ${grouped(c.most)}`, () => {
    chosen = k;
    return range(c.at.length);
  }]), (i) => [timeText(counters[chosen].at[i]), grouped(counters[chosen].value[i]), counters[chosen].unit]);
}

function putNumbers() {
  const at = part('numbers');
  const fold = (title, inside) => {
    const details = make('details', {}, make('summary', {}, title));
    details.addEventListener('toggle', () => { if (details.open && details.children.length === 1) details.append(inside()); });
    at.append(details);
  };
  at.append(tableOf('Lanes', [['Lane'], ['Bars', 1], ['They stand for', 1], ['Busy', 1]], head.lanes.map((lane, l) => {
    let count = 0, joined = 0, busy = 0;
    for (let i = 0; i < bars.n; ++i) {
      if (bars.lane[i] !== l) continue;
      ++count;
      joined += bars.joined[i];
      busy += bars.joined[i] > 1 ? bars.busy[i] : bars.lasts[i];
    }
    return [lane.name, grouped(count), grouped(joined), timeText(busy)];
  })));
  fold(`${plural(bars.n, 'bar')} of the timeline`, barTable);
  if (contents.n) fold(plural(contents.n, 'content') + ' of slots', contentTable);
  if (counters.length) fold('Memories over time', counterTable);
}
