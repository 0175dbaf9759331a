// SPDX-License-Identifier: Apache-2.0
// Puts the page together.
function putLinks() {
  for (const section of document.querySelectorAll('main section')) {
    const title = section.querySelector('h2').textContent;
    part('parts').append(make('li', {}, make('a', {href: '#' + section.id}, title)));
  }
}

function followHash() {
  const finding = /^#finding-(\d+)$/.exec(location.hash);
  if (!finding || !faults[finding[1] - 1]) return;
  unfold(finding[1] - 1);
  goToFault(finding[1] - 1);
}

readColours();
putFindings();
putLimits();
putOperands();
putFootprint();
putCompiled();
putWaits();
putSchedules();
putReceipts();
putNumbers();
putModel();
putModule();
putLinks();
part('view').setAttribute('aria-label', `Timeline of ${report.title}, ${report.basis}: ${plural(bars.n, 'bar')} in ${plural(head.lanes.length, 'lane')}, ` +
  `${plural(faults.length, 'finding')}`);
show(0, shownEnd);
layOut();
listen();
followHash();
addEventListener('hashchange', followHash);
// For tests and the curious.
window.millrace = {report, head, bars, contents, counters, faults, rows, view, aboutBar, aboutContent, goToBar, goToFault, show, select, draw, rowOfBar, xOf,
  itemAt, unfold, colours: () => ink};
