// SPDX-License-Identifier: Apache-2.0
#include "view/html.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "view/sentences.h"
#include "view/svg.h"

namespace millrace::view {

namespace {

using timing::Bar;
using timing::Index;
using timing::Time;
using timing::Timeline;

constexpr std::size_t kMostRows = 2000;  // of a table of bars; the picture and --json have all of them

constexpr const char* kStyle =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;max-width:1180px;margin:0 "
    "auto;padding:16px;color:#1c1c1c;background:#fff}"
    "h1{font-size:22px;margin:8px 0}h2{font-size:17px;margin:28px 0 8px}.soft{color:#565b63}.bad{color:#b3140b}"
    "a{color:#1d5fa8}.scroll{overflow-x:auto;border:1px solid #c9ccd1;border-radius:6px}"
    "table{border-collapse:collapse;font-size:14px}th,td{text-align:left;padding:3px 14px 3px 0;vertical-align:top;"
    "border-bottom:1px solid #e3e5e8}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    "caption{text-align:left;color:#565b63;padding-bottom:4px}summary{cursor:pointer;padding:4px 0}"
    ":focus-visible{outline:3px solid #1d5fa8;outline-offset:2px}"
    "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#16181c}.soft,caption{color:#a9adb5}"
    ".bad{color:#ff8f85}a{color:#7ab4f0}.scroll{border-color:#4a4f58}th,td{border-color:#30343b}"
    ":focus-visible{outline-color:#7ab4f0}}"
    "@media print{.scroll{overflow:visible;border:0}svg{width:100%;height:auto}}";

struct Cell {
  std::string text;
  bool number = false;
};

std::string row(const std::vector<Cell>& cells, const char* tag) {
  std::string html = "<tr>";
  for (const Cell& c : cells)
    html += fmt::format("<{0}{1}{2}>{3}</{0}>", tag, tag[1] == 'h' ? " scope=\"col\"" : "",
                        c.number ? " class=\"n\"" : "", escaped(c.text));
  return html + "</tr>\n";
}

std::string table(const std::string& caption, const std::vector<Cell>& head,
                  const std::vector<std::vector<Cell>>& rows) {
  std::string html = fmt::format(
      "<div class=\"scroll\" style=\"border:0\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"{0}\"><table><caption>{0}</caption><thead>{1}</thead><tbody>\n",
      escaped(caption), row(head, "th"));
  for (const auto& cells : rows) html += row(cells, "td");
  return html + "</tbody></table></div>\n";
}

std::string findings(const Timeline& t) {
  const auto errors = std::ranges::count_if(t.faults, &timing::Fault::error);
  std::string html = "<section aria-labelledby=\"h-findings\"><h2 id=\"h-findings\">Findings</h2>\n";
  if (t.faults.empty())
    return html +
           "<p>None in this run, for these inputs; `millrace check --explore` looks at other orders of "
           "events.</p></section>\n";
  html += fmt::format("<p class=\"bad\">{} error{}, {} warning{}.</p><ol>\n", errors, errors == 1 ? "" : "s",
                      t.faults.size() - static_cast<std::size_t>(errors),
                      t.faults.size() - static_cast<std::size_t>(errors) == 1 ? "" : "s");
  for (std::size_t f = 0; f < t.faults.size(); ++f) {
    html += fmt::format("<li>{}", escaped(sentence(t.faults[f])));
    if (!t.faults[f].moments.empty()) html += "<ul>";
    for (std::size_t m = 0; m < t.faults[f].moments.size(); ++m)
      html += fmt::format("<li><a href=\"#moment-{}-{}\">{}</a></li>", f + 1, m + 1,
                          escaped(sentence(t, t.faults[f].moments[m])));
    html += t.faults[f].moments.empty() ? "</li>\n" : "</ul></li>\n";
  }
  return html + "</ol></section>\n";
}

std::string limits(const Timeline& t) {
  std::string html = "<section aria-labelledby=\"h-limits\"><h2 id=\"h-limits\">What limits it</h2>\n";
  for (const std::string& line : summary(t)) html += "<p>" + escaped(line) + "</p>\n";
  std::vector<std::vector<Cell>> path, terms;
  for (const timing::PathPart& p : t.path)
    path.push_back({{p.what},
                    {p.lane == timing::kNone ? "" : name_of(t, t.lanes[p.lane])},
                    {time_text(p.time), true},
                    {fmt::format("{:.1f} %", 100.0 * static_cast<double>(p.time) / static_cast<double>(t.end)), true}});
  html += table("Critical path", {{"what"}, {"lane"}, {"time", true}, {"share", true}}, path);
  for (const timing::Term& term : t.steady.terms) terms.push_back({{term.what}, {time_text(term.time), true}});
  if (!terms.empty()) html += table("A step in theory: the largest of these", {{"term"}, {"time", true}}, terms);
  return html + "</section>\n";
}

std::string memories(const Timeline& t) {
  std::vector<std::vector<Cell>> buffers, counters;
  for (Index r = 0; r < t.rows.size(); ++r) {
    std::uint64_t contents = 0;
    for (const timing::Tenancy& l : t.tenancies) contents += l.row == r ? l.count : 0;
    const timing::Row& b = t.rows[r];
    buffers.push_back({{b.letter},
                       {b.operand},
                       {b.name},
                       {fmt::format("{}.{}", b.device, b.core)},
                       {std::to_string(b.slots), true},
                       {grouped(static_cast<std::int64_t>(contents)), true}});
  }
  for (const timing::Counter& c : t.counters)
    counters.push_back({{c.name}, {fmt::format("{}.{}", c.device, c.core)}, {grouped(c.most) + " " + c.unit, true}});
  return "<section aria-labelledby=\"h-memory\"><h2 id=\"h-memory\">Memory</h2>\n" +
         table("Buffers that DMAs fill or empty",
               {{"letter"}, {"operand"}, {"memory"}, {"device.core"}, {"slots", true}, {"contents", true}}, buffers) +
         table("At most", {{"what"}, {"device.core"}, {"most", true}}, counters) + "</section>\n";
}

std::string lanes(const Timeline& t) {
  std::vector<std::uint64_t> bars(t.lanes.size());
  std::vector<Time> busy(t.lanes.size());
  std::vector<std::int64_t> bytes(t.lanes.size());
  for (const Bar& b : t.bars) bars[b.lane] += b.count, busy[b.lane] += b.busy, bytes[b.lane] += b.bytes;
  std::vector<std::vector<Cell>> rows, every;
  for (Index l = 0; l < t.lanes.size(); ++l)
    rows.push_back({{name_of(t, t.lanes[l])},
                    {grouped(static_cast<std::int64_t>(bars[l])), true},
                    {time_text(busy[l]), true},
                    {bytes[l] == 0 ? "" : grouped(bytes[l]), true}});
  for (Index b = 0; b < t.bars.size() && b < kMostRows; ++b)
    every.push_back({{name_of(t, t.lanes[t.bars[b].lane])},
                     {t.bars[b].label},
                     {time_text(t.bars[b].begin), true},
                     {time_text(t.bars[b].end), true},
                     {about(t, b)}});
  std::string html = "<section aria-labelledby=\"h-lanes\"><h2 id=\"h-lanes\">Lanes</h2>\n" +
                     table("What each lane holds; times of bars that overlap add up",
                           {{"lane"}, {"bars", true}, {"time", true}, {"bytes", true}}, rows);
  html += fmt::format("<details><summary>{} bars of the picture, one a row</summary>\n",
                      t.bars.size() > kMostRows ? fmt::format("The first {} of {}", kMostRows, t.bars.size())
                                                : "All " + std::to_string(t.bars.size()));
  html += table("Bars", {{"lane"}, {"label"}, {"begin", true}, {"end", true}, {"about"}}, every);
  return html + "</details></section>\n";
}

std::string figures(const Timeline& t) {
  std::vector<std::vector<Cell>> rows;
  for (const timing::Parameter& p : t.parameters)
    rows.push_back({{p.name}, {fmt::format("{:.6g} {}", p.value, p.unit), true}, {p.source}, {p.note}});
  return "<section aria-labelledby=\"h-figures\"><h2 id=\"h-figures\">What the clock goes by</h2>\n" +
         table("Figures of the model; none of them was measured here",
               {{"figure"}, {"value", true}, {"source"}, {"what"}}, rows) +
         "</section>\n";
}

}  // namespace

std::string to_html(const Timeline& t) {
  const std::string title = escaped(t.title), on = escaped(basis(t));
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\"><title>{0}: {1}</title><style>{2}</style></head>\n<body>\n"
      "<header><h1>{0}</h1><p class=\"soft\">{1}; schedule of the run that was watched: {3}</p></header>\n<main>\n",
      title, on, kStyle, escaped(t.schedule));
  html += findings(t);
  html +=
      "<section aria-labelledby=\"h-time\"><h2 id=\"h-time\">Timeline</h2>\n<div class=\"scroll\" tabindex=\"0\" "
      "role=\"region\" aria-label=\"Timeline\">\n" +
      to_svg(t, {.width = 1140, .words = false}) + "</div></section>\n";
  return html + limits(t) + memories(t) + lanes(t) + figures(t) + "</main></body></html>\n";
}

}  // namespace millrace::view
