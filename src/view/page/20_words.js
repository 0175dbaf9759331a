// SPDX-License-Identifier: Apache-2.0
// The words of view/sentences.h, which SVG and text have too.
function grouped(n) { return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ','); }

function timeText(ps) {
  if (ps === 0) return '0';
  for (const [size, name] of [[1e12, 's'], [1e9, 'ms'], [1e6, 'us'], [1e3, 'ns']])
    if (Math.abs(ps) >= size) return `${Number((ps / size).toPrecision(4))} ${name}`;
  return `${Number(ps.toPrecision(4))} ps`;
}

function plural(n, what) { return `${grouped(n)} ${what}${n === 1 ? '' : 's'}`; }

const kindOf = (bar) => head.lanes[bars.lane[bar]].kind;
const laneName = (bar) => head.lanes[bars.lane[bar]].name;
const slotName = (content) => head.buffers[contents.buffer[content]].letter + contents.slot[content];

function proofText(bar) {
  const proves = bars.proves(bar);
  let text = proves.length ? '; proves ' : report.execution === 'modeled' ? '; proves no DMA complete' : '';
  text += proves.slice(0, 4).map((copy) => `${said(bars.label[copy])} (${laneName(copy)} ${said(bars.block[copy])})`).join(', ');
  if (proves.length > 4) text += ` and ${proves.length - 4} more`;
  if (bars.open[bar] > 0) text += `; leaves ${bars.open[bar]} DMAs open`;
  return text;
}

function whatOf(bar) {
  const kind = kindOf(bar), label = said(bars.label[bar]), block = said(bars.block[bar]);
  if (bars.joined[bar] > 1) return `${grouped(bars.joined[bar])} times ${laneName(bar)}, busy ${timeText(bars.busy[bar])}`;
  if (kind === 'wait') {
    const amount = bars.amount[bar] > 0 || report.execution === 'modeled' ? `${grouped(bars.amount[bar])} of ` : '';
    const text = `wait for ${amount}${said(bars.semaphore[bar])}`;
    return bars.never(bar) ? `${text}, never met: there are ${grouped(bars.has[bar])}` : text + proofText(bar);
  }
  return (label ? label + ': ' : '') + laneName(bar) + (block ? ', ' + block : '') +
    (kind === 'compute' ? '' : `, ${grouped(bars.bytes[bar])} bytes`);
}

function aboutBar(bar) {
  const step = said(bars.step[bar]), at = said(bars.at[bar]);
  let text = whatOf(bar) + (step ? `, step ${step}` : '');
  text += `; ${timeText(bars.begin[bar])} to ${timeText(bars.end[bar])}`;
  if (bars.moves[bar] > bars.begin[bar]) text += `, moves from ${timeText(bars.moves[bar])}`;
  if (bars.critical(bar)) text += '; on the critical path';
  return at ? `${text}; at ${at}` : text;
}

// What may stand in a bar, the longest first; the first for which there is room is taken.
function labelsOf(bar) {
  const label = said(bars.label[bar]), joined = bars.joined[bar], has = grouped(bars.has[bar]), needs = grouped(bars.amount[bar]);
  if (bars.never(bar)) return [`for ever: ${said(bars.semaphore[bar])} has ${has}, needs ${needs}`, `has ${has}, needs ${needs}`, `${has} of ${needs}`];
  if (joined > 1) return [`${grouped(joined)} x ${label}`.trim(), `${grouped(joined)} x`];
  const block = said(bars.block[bar]).replace(/^\S+ /, ''), step = said(bars.step[bar]), labels = label ? [label] : [];
  if (block) labels.unshift(label ? `${label} ${block}` : block);
  if (step) labels.unshift(labels.length ? `${labels[0]}, step ${step}` : `step ${step}`);
  return labels;
}

function labelsOfMark(mark) {
  const number = String(mark.fault.number + 1), short = `${number} ${mark.what}`, labels = [short, short.split(':')[0], number];
  return mark.fault.memory ? [`${short}, ${mark.fault.memory}${mark.fault.box || ''}`, ...labels] : labels;
}

function aboutContent(c) {
  if (contents.joined[c] > 1) return `${slotName(c)}: ${contents.joined[c]} contents, one after the other`;
  const block = said(contents.block[c]), operand = head.buffers[contents.buffer[c]].operand;
  return `${slotName(c)} (${operand}), content ${contents.version[c]}${block ? ', ' + block : ''}: begun ` +
    `${timeText(contents.begin[c])}, there ${timeText(contents.filled[c])}, last use ${timeText(contents.last_use[c])}, ` +
    (contents.reusable[c] < 0 ? 'never known to be free' : 'free for reuse ' + timeText(contents.reusable[c]));
}

function aboutMoment(moment) {
  return `${moment.what}${moment.at ? ' at ' + moment.at : ''}, at ${timeText(moment.begin)}`;
}
