// SPDX-License-Identifier: Apache-2.0
#include "view/report_html.h"

#include <fmt/format.h>

#include <string_view>

#include "view/columns.h"
#include "view/json.h"
#include "view/page_text.h"
#include "view/palette.h"
#include "view/sentences.h"

namespace millrace::view {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kLeftOutOfMeasured[] = {
    "What a TPU would take: these are times of the device named above, which copies within one memory.",
    "The other runs: the last of five is drawn, and the next one takes other times.",
};

constexpr const char* kLeftOut[] = {
    "How arrays lie in HBM, and what DMAs of few bytes or odd strides cost.",
    "Contention between cores and between chips; caches; a DMA's priority.",
    "How the compiler schedules instructions; scalar work but a fixed cost for each start, wait and signal.",
    "Filling and draining of the matrix units; register spills; what the compiler keeps in VMEM of its own.",
    "The time before and after the kernel.",
};

// The timeline without what the columns tell.
Json head_of(const timing::Timeline& t) {
  timing::Timeline head;
  head.title = t.title, head.execution = t.execution, head.device = t.device, head.chip = t.chip;
  head.schedule = t.schedule, head.parameters = t.parameters, head.end = t.end;
  head.devices = t.devices, head.cores = t.cores, head.lanes = t.lanes, head.rows = t.rows;
  head.faults = t.faults, head.path = t.path, head.bounded_by = t.bounded_by, head.steady = t.steady;
  head.moving = t.moving, head.computing = t.computing, head.waiting = t.waiting;
  head.overlapped = t.overlapped, head.overlap = t.overlap, head.cut = t.cut, head.coarse = t.coarse;
  Json json = to_json(head);
  for (const char* told_elsewhere : {"bars", "lives", "arrows", "counters"}) json.erase(told_elsewhere);
  json["devices"] = t.devices, json["cores"] = t.cores;
  return json;
}

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

// Nothing in the data can end the element that it stands in: `<` stands only inside of strings.
std::string inside_a_script(const Json& data) {
  const std::string text = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  out.reserve(text.size() + text.size() / 64);
  for (const char c : text)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

std::string colours(bool dark) {
  std::string css;
  for (std::uint32_t c = 0; c < kColours; ++c) {
    const Colour colour = colour_of(c, dark);
    css += fmt::format("--line{}:{};--tint{}:{};", c, colour.line, c, colour.tint);
  }
  return css;
}

// One pass: what is filled in is not looked at again.
std::string filled(std::string_view page, const std::vector<std::pair<std::string_view, std::string>>& with) {
  std::string out;
  while (!page.empty()) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == page.npos) break;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    for (const auto& [key, text] : with)
      if (key == name) out += text;
    page.remove_prefix(close + 2);
  }
  return out;
}

}  // namespace

Json report_data(const Report& report) {
  const timing::Timeline& t = report.timeline;
  Json data = {{"schema", 1}, {"kind", "report"}, {"title", t.title}, {"basis", basis(t)}, {"execution", t.execution}};
  data["summary"] = summary(t);
  data["left_out"] = t.execution == "measured" ? Json(kLeftOutOfMeasured) : Json(kLeftOut);
  data["check"] = report.check;
  data["module"] = report.module;
  data["footprint"] = report.footprint;
  data["compiled"] = report.compiled;
  data["receipts"] = report.receipts;
  data["sources"] = report.sources;
  data["text"] = report.text;
  data["timeline"] = head_of(t);
  data["columns"] = to_columns(t);
  return data;
}

std::string to_html(const Report& report) {
  const std::string style =
      fmt::format(":root{{{}}}\n@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{}}}}}\n",
                  colours(false), colours(true)) +
      std::string(page_style());
  return filled(page_html(), {{"title", escaped_html(report.timeline.title)},
                              {"style", style},
                              {"data", inside_a_script(report_data(report))},
                              {"script", std::string(page_script())}});
}

}  // namespace millrace::view
