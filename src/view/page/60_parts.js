// SPDX-License-Identifier: Apache-2.0
// The parts of the page beside the picture, as elements. Texts go in as texts, whatever they hold.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'onclick') element.addEventListener('click', value);
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== ''));
  return element;
}
const part = (id) => document.getElementById(id);

// `columns`: [title, is it a number]; `rows`: texts or elements, the first names the row. A row may have a class.
function tableOf(caption, columns, lines) {
  const cell = (tag, value, numeric, scope) =>
    make(tag, {...(numeric ? {class: 'number'} : {}), ...(scope ? {scope} : {})}, value instanceof Node ? value : String(value));
  const table = make('table', {}, make('caption', {}, caption),
    make('thead', {}, make('tr', {}, ...columns.map(([title, numeric]) => cell('th', title, numeric, 'col')))),
    make('tbody', {}, ...lines.map((line) => make('tr', line.class ? {class: line.class} : {}, ...line.map((value, i) =>
      cell(i === 0 ? 'th' : 'td', value, columns[i][1], i === 0 ? 'row' : ''))))));
  return make('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': caption}, table);
}
const withClass = (line, name) => Object.assign(line, {class: name});
const link = (text, does, name) => make('button', {type: 'button', class: 'inline', onclick: does, ...(name ? {'aria-label': name} : {})}, text);

function excerpt(spot) {
  const lines = report.sources[spot.file];
  if (!lines || !lines[spot.line]) return null;
  const pre = make('pre', {tabindex: '0', role: 'group', 'aria-label': `${spot.file} around line ${spot.line}`});
  const numbered = Object.keys(lines).map(Number).filter((n) => Math.abs(n - spot.line) <= 3).sort((a, b) => a - b);
  for (const n of numbered) {
    const text = `${n === spot.line ? '>' : ' '} ${String(n).padStart(5)}  ${lines[n]}`;
    pre.append(n === spot.line ? make('span', {class: 'here'}, text) : text + '\n');
  }
  return pre;
}

function toTimeline(number) {
  part('timeline').scrollIntoView();
  frame.focus({preventScroll: true});
  goToFault(number);
}

// How many findings stand before the picture, which should be seen at a glance; the others are behind a line.
const kTold = innerWidth < 640 ? 1 : 3;

function findingArticle(finding, number, open) {
  const fault = faults[number], seen = fault && fault.moments.length > 0;
  const facts = [finding.memory ? `memory ${finding.memory}${fault && fault.box ? fault.box : ''}` : '',
    (finding.grid_step || []).length ? `grid step (${finding.grid_step.join(', ')})` : '',
    finding.block ? `block (${finding.block.join(', ')})` : '', finding.semaphore ? `semaphore ${finding.semaphore}` : '',
    finding.schedules ? `in ${finding.schedules} schedules` : '', `clause ${finding.clause}`];
  const spots = finding.spots.map((spot) => make('li', {}, spot.what + (spot.nth ? `, ${spot.nth}` : ''),
    spot.place ? ': ' : '', spot.place ? make('code', {}, spot.place) : '', excerpt(spot)));
  const shows = seen ? make('p', {class: 'show'}, make('a', {href: '#timeline', id: `show-${number + 1}`,
    'aria-label': `Show finding ${number + 1} in the timeline`, onclick: (e) => { e.preventDefault(); toTimeline(number); }},
  `Show in the timeline: ${[...new Set(fault.moments.map((m) => timeText(m.begin)))].join(' and ')}`)) : '';
  return make('article', {id: `finding-${number + 1}`, class: `of-${finding.severity}`, 'aria-labelledby': `finding-${number + 1}-title`},
    make('div', {class: 'told'}, make('h3', {id: `finding-${number + 1}-title`}, `${number + 1}. ${finding.id}`,
      make('span', {class: `badge ${finding.severity}`}, finding.severity)), make('p', {}, finding.message)), shows,
    make('details', open ? {open: ''} : {}, make('summary', {}, 'Where, and the usual mend'),
      make('p', {class: 'soft'}, facts.filter(Boolean).join('; ')),
      spots.length ? make('ol', {class: 'spots'}, ...spots) : '',
      finding.hint ? make('p', {}, make('strong', {}, 'Usual mend: '), finding.hint) : '',
      make('p', {class: 'soft'}, make('code', {}, `millrace explain ${finding.id}`), ' says what such a finding means.')));
}

// A finding is read where it stands, in whatever fold that is.
function unfold(number) {
  for (let e = part(`finding-${number + 1}`); e; e = e.parentElement) if (e.tagName === 'DETAILS') e.open = true;
}

function putFindings() {
  const findings = report.check.findings, errors = findings.filter((f) => f.severity === 'error').length;
  const clean = report.check.verdict === 'clean', most = 200;
  part('verdict').append(make('span', {class: `badge ${clean ? 'clean' : 'error'}`}, clean ? 'clean' : 'faulty'), ' ',
    `${plural(errors, 'error')}, ${plural(findings.length - errors, 'warning')}. ${coveredText()}`);
  part('basis').textContent = `Times are ${report.basis}.`;
  part('modeled').textContent = report.basis;
  if (head.coarse) {
    part('joined').hidden = false;
    part('joined').textContent = `${grouped(head.coarse.bars)} bars drawn as ${grouped(bars.n)}`;
    part('joined').title = `Bars of a lane that begin within ${timeText(fromNs(head.coarse.bucket))} are one`;
  }
  if (!findings.length) part('findings').append(make('p', {}, 'Nothing was found.'));
  const told = Math.min(findings.length, kTold), one = findings.length === 1 && innerWidth >= 640;
  findings.slice(0, told).forEach((finding, i) => part('findings').append(findingArticle(finding, i, one)));
  if (told === findings.length) return;
  const rest = make('details', {id: 'more-findings'}, make('summary', {}, `${plural(findings.length - told, 'more finding')}`));
  findings.slice(told, most).forEach((finding, i) => rest.append(findingArticle(finding, told + i, false)));
  part('findings').append(rest);
  if (findings.length > most)
    rest.append(make('p', {}, `${grouped(findings.length - most)} more are not shown here; check --json has all.`));
}

function coveredText() {
  const s = report.check.schedules;
  return `Checked ${grouped(s.explored)} of ${grouped(s.classes)} schedule ${s.classes === 1 ? 'class' : 'classes'} for ${s.for}.`;
}

const findingLink = (number, text) => make('a', {href: `#finding-${number + 1}`, onclick: () => unfold(number)}, text);

function tellSelected(selected) {
  const at = part('selected'), items = [];
  at.replaceChildren();
  if (!selected) return;
  const barLink = (bar, says = '') => make('li', {}, says, link(aboutBar(bar), () => goToBar(bar)));
  const contentLink = (c) => make('li', {}, link(aboutContent(c), () => goToContent(c)));
  if (selected.kind === 'fault') {
    const fault = faults[selected.index];
    at.append(make('h3', {}, `Finding ${selected.index + 1}: ${fault.id}`), make('p', {}, fault.message));
    for (const m of fault.moments)
      items.push(m.bar >= 0 ? barLink(m.bar, aboutMoment(m) + ': ') : make('li', {}, aboutMoment(m)));
    at.append(make('ul', {}, ...items), make('p', {}, findingLink(selected.index, 'Read the finding')));
    return;
  }
  const bar = selected.kind === 'bar', i = selected.index;
  at.append(make('h3', {}, bar ? whatOf(i) : `Slot ${slotName(i)}`), make('p', {}, bar ? aboutBar(i) : aboutContent(i)));
  if (bar) {
    if (kindOf(i) === 'wait' && !bars.never(i) && report.execution === 'modeled') at.append(make('p', {}, bars.proves(i).length ? 'It proves complete:' :
      'It proves no DMA complete: what it waited for may have come from others, or from signals.'));
    items.push(...(kindOf(i) === 'wait' ? bars.proves(i) : related(selected)).slice(0, 20).map((other) => barLink(other)));
    items.push(...bars.lives(i).slice(0, 20).map(contentLink));
  } else {
    items.push(...related(selected).map((other) => barLink(other)));
  }
  for (const f of faults)
    if (bar && f.moments.some((m) => m.bar === i))
      items.push(make('li', {}, 'Part of ', findingLink(f.number, `finding ${f.number + 1}: ${f.id}`)));
  if (items.length) at.append(make('ul', {}, ...items));
}

const nsText = (ns) => timeText(fromNs(ns));
const share = (of, all) => (all > 0 ? `${Math.round(100 * of / all)} %` : '0 %');

function putLimits() {
  const at = part('limits'), s = head.summary;
  for (const sentence of report.summary) at.append(make('p', {}, sentence));
  if (report.execution === 'modeled') at.append(tableOf('Critical path: what the end of the run had to wait for, modeled', [['Part'], ['Lane'], ['Time', 1], ['Share', 1]],
    s.critical_path.map((p) => [p.what, p.lane === null ? '' : head.lanes[p.lane].name, nsText(p.time), share(p.time, head.end)])));
  if (!s.steady) return;
  at.append(tableOf(`A step in theory (${grouped(s.steady.middle)} of ${grouped(s.steady.count)} ${s.steady.steps}), modeled`,
    [['What it takes at least'], ['Time', 1]],
    [...s.steady.terms.map((t) => withClass([t.what + (t.what === s.steady.bounded_by ? ' (the largest)' : ''), nsText(t.time)], '')),
      withClass(['simulated', nsText(s.steady.simulated)], 'sum'), ['difference', nsText(s.steady.difference)]]));
}

function putOperands() {
  const m = report.module, at = part('operands');
  at.append(make('p', {}, `Kernel ${m.kernel}` + (m.grid.length ? `, grid (${m.grid.map((n) => (n === null ? '?' : n)).join(', ')})` : ', no grid') +
    (m.dimension_semantics.length ? `, ${m.dimension_semantics.join(', ')}` : '') + '.'));
  const letters = (name) => [...new Set(head.buffers.filter((b) => b.operand === name || b.name === name).map((b) => b.letter))].join(', ');
  at.append(tableOf('Operands', [['Name'], ['Buffers'], ['Type in the kernel'], ['Window'], ['Slots', 1], ['Index map']], m.operands.map((o) => [
    o.name, letters(o.name), make('code', {}, o.type), o.window ? `(${o.window.block.join(', ')})` : o.prefetch ? 'scalar prefetch' : 'none',
    o.window ? o.window.slots : '', o.window ? o.window.map : ''])));
  const sems = m.semaphores;
  if (sems.length) at.append(tableOf('Semaphores', [['Name'], ['Type'], ['Place']], sems.map((s) => [s.name, make('code', {}, s.type), s.place])));
}

function putFootprint() {
  const f = report.footprint, at = part('footprint');
  at.append(make('p', {}, 'Bytes that the kernel asks for in the small memories, counted from the module. Tiles are those of VMEM; ' +
    'what the compiler adds of its own (spills, its own scratch) is left out.'));
  const lines = f.held.map((h) => [h.name, h.memory, h.holder, grouped(h.logical), grouped(h.padded), grouped(h.slots), grouped(h.bytes)]);
  if (f.scopes.vmem > 0) lines.push(['scopes, the most at one time', 'VMEM', 'in the sum', '', '', '', grouped(f.scopes.vmem)]);
  for (const [key, name] of [['vmem', 'VMEM'], ['smem', 'SMEM'], ['semaphores', 'semaphores']])
    if (f.total[key] > 0) lines.push(withClass(['sum', name, `of ${grouped(f.limit[key])} that one kernel gets`, '', '', '', grouped(f.total[key])],
      f.total[key] > f.limit[key] ? 'sum over' : 'sum'));
  at.append(tableOf(`Footprint on ${f.chip}, in bytes`, [['Memory'], ['In'], ['For'], ['Logical', 1], ['Padded to tiles', 1], ['Slots', 1], ['Bytes', 1]], lines));
  const says = `${grouped(f.total.vmem)} of the ${grouped(f.limit.vmem)} bytes of VMEM that one kernel gets (${share(f.total.vmem, f.limit.vmem)}); ` +
    `${f.chip} has ${grouped(f.vmem)} (${share(f.total.vmem, f.vmem)})`;
  at.append(make('p', {}, make('meter', {min: 0, max: f.limit.vmem, value: Math.min(f.total.vmem, f.limit.vmem), 'aria-label': says}), ' ', says + '.'));
}

// What the real compiler says, chips side by side. The bars compare bundles, which are no time.
function putCompiled() {
  const c = report.compiled, at = part('compiled');
  if (!c) return at.remove();
  at.append(make('p', {}, `The real TPU compiler (libtpu ${c.libtpu || 'of unknown version'}) on ${c.of}. Nothing was run. ${c.boundary}`));
  const known = (n) => (n === null ? '?' : grouped(n)), cells = c.tiles.flatMap((tile) => tile.chips);
  const most = Math.max(1, ...cells.map((cell) => cell.step_bundles || 0));
  const told = (cell) => {
    if (cell.verdict !== 'accepted') return make('span', {}, cell.verdict + (cell.reason ? `: ${cell.reason}` : ''));
    const bar = make('span', {class: 'bundles', 'aria-hidden': 'true'});
    bar.style.width = `${8 * (cell.step_bundles || 0) / most}rem`;
    return make('div', {}, bar, make('span', {}, `${known(cell.step_bundles)} bundles a step, ${known(cell.trips)} passes`), make('br'),
      make('span', {class: 'soft'}, `VMEM ${known(cell.vmem)} bytes (modeled ${known(cell.modeled_vmem)})`));
  };
  at.append(tableOf('Compiled, not run: a step of the main loop, how often it passes, and the VMEM that the compiler allots',
    [['Tile or kernel'], ...c.tiles[0].chips.map((cell) => [cell.compiled_for])], c.tiles.map((tile) => [tile.name, ...tile.chips.map(told)])));
}

function putWaits() {
  const waits = report.check.waits || [], at = part('waits');
  if (!waits.length) return at.append(make('p', {}, 'The kernel itself waits for nothing; what the window pipeline awaits is in the timeline.'));
  const dmas = (w, list) => list.map((d) => `${plural(d.dmas, 'DMA')} started at ${d.where || d.at}` +
    (d.waits < w.waits ? `, in ${grouped(d.waits)} of ${grouped(w.waits)} waits` : '')).join('; ');
  at.append(tableOf('Waits of the kernel, by place', [['Place'], ['Semaphore'], ['Times', 1], ['Amount'], ['Proves complete'], ['Leaves open']],
    waits.map((w) => [w.where || w.at, w.semaphore, grouped(w.waits), (w.least === w.most ? grouped(w.most) : `${grouped(w.least)} to ${grouped(w.most)}`) +
      (w.unit === 'bytes' ? ' bytes' : ''), dmas(w, w.proved) || (w.open.length ? 'nothing' : 'no DMA: signals'), dmas(w, w.open)])));
}

function putSchedules() {
  const s = report.check.schedules, at = part('schedules');
  at.append(make('p', {}, coveredText() + (s.complete ? ' That is all there are.' : ' There may be more.') +
    (s.control_depends_on.length ? ` Control flow depends on ${s.control_depends_on.join(', ')}.` : '')));
  for (const open of s.open || []) at.append(make('p', {}, open));
  const w = report.check.work;
  const run = report.execution === 'modeled' ? `The run that is drawn: schedule ${head.schedule}` : 'The run that was checked, in the simulator';
  at.append(make('p', {class: 'soft'}, `${run}, ${grouped(w.steps)} instructions, ${grouped(w.dmas)} DMAs, ` +
    `${grouped(w.bytes)} bytes, ${grouped(w.accesses)} accesses.`));
}

// What stands behind the page, and whatever compilers and devices have left of the same kernel.
function putReceipts() {
  const at = part('receipts'), own = report.receipts[0];
  if (!own) return at.remove();
  for (const r of report.receipts) {
    const m = r.measurement, c = r.correctness, plain = (v) => (typeof v === 'object' ? JSON.stringify(v) : String(v)),
      short = (n) => Number(n.toPrecision(4));
    const title = {modeled: report.execution === 'modeled' ? 'This page: simulated, times modeled' : 'What was checked: simulated, on no device', compiled: 'Compiled by the real TPU compiler, not run',
      measured: `Measured on ${r.device}`}[r.execution];
    const {inputs = [], ...rest} = r.configuration;
    const lines = [['Device', r.device || 'none took part']];
    if (r.simulated_chip) lines.push(['Simulated chip', r.simulated_chip]);
    lines.push(['Module, SHA-256', make('code', {}, r.implementation_sha256 + (r !== own && r.implementation_sha256 === own.implementation_sha256 ?
      ' (the module of this page)' : ''))]);
    lines.push(['Versions', Object.entries(r.versions).map(([name, v]) => `${name} ${v}`).join(', ')]);
    for (const [name, value] of Object.entries(rest)) lines.push([name.replace(/_/g, ' '), plain(value)]);
    for (const i of inputs) lines.push([i.name, make('span', {}, `${i.dtype} (${i.shape.join(', ')}), SHA-256 `, make('code', {}, i.sha256))]);
    if (c) lines.push(['Correct', `against ${c.oracle}: largest error ${c.max_abs_error}, tolerance ${c.tolerance.rtol} relative, ${c.tolerance.atol} absolute`]);
    if (m) for (const t of [m, ...m.baselines]) lines.push([t.name, `median ${short(t.median_ms)} ms, 90 % within ${short(t.p90_ms)} ms, least ${short(t.min_ms)} ms, ${t.samples} samples` +
      (t.noise ? `; noisy: ${t.noise}` : '')]);
    for (const chip of r.chips || []) lines.push([chip.compiled_for, chip.verdict + (chip.reason ? `: ${chip.reason}` : '') +
      (chip.step ? `, ${plural(chip.step.bundles, 'bundle')} a step` : '')]);
    lines.push(['What it does not say', r.boundary]);
    at.append(tableOf(title, [['Of'], ['What']], lines), make('details', {}, make('summary', {}, 'The receipt as JSON'),
      make('pre', {tabindex: '0', role: 'group', 'aria-label': `${title}, as JSON`}, JSON.stringify(r, null, 2))));
  }
}

function putModel() {
  const at = part('model');
  at.append(make('p', {}, `Every time on this page is ${report.execution}` + (report.execution === 'modeled' ?
    ': computed from the events of a simulated run and the figures below. Nothing was timed, no device took part.' : ` on ${head.device}.`)));
  if (head.parameters.length) at.append(tableOf(`Figures for ${head.chip}`, [['Figure'], ['Value', 1], ['Unit'], ['Source'], ['What it is']],
    head.parameters.map((p) => [p.name, Number(p.value.toPrecision(6)), p.unit, p.source, p.note])));
  at.append(make('h3', {}, report.execution === 'modeled' ? 'What the model leaves out' : 'What the measurement leaves out'), make('ul', {}, ...report.left_out.map((s) => make('li', {}, s))));
}

function putModule() {
  part('module').append(make('details', {}, make('summary', {}, `The module as text (${grouped(report.text.length)} characters)`),
    make('pre', {tabindex: '0', role: 'group', 'aria-label': 'The module as text'}, report.text)));
}
