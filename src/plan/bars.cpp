// SPDX-License-Identifier: Apache-2.0
#include "plan/bars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "plan/digits.h"

namespace millrace::plan {
namespace {

constexpr double kHeight = 180;                           // of the bars, in pixels
constexpr double kHead = 62, kFoot = 62;                  // above and below the bars of a panel
constexpr double kMargin = 24, kGap = 44, kLetter = 6.8;  // kLetter: of a figure's character, at 11 pixels
constexpr double kLeastGroup = 84, kUsualGroup = 104;

constexpr const char* kStyle =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#1c1c1c}"
    ".soft{fill:#565b63}.ground{fill:#fff}.axis{stroke:#565b63}.b0{fill:#1d5fa8}.b1{fill:url(#s1)}.b2{fill:url(#s2)}"
    ".b3{fill:url(#s3)}.e{stroke:#1d5fa8}.s{stroke:#1d5fa8}.p{fill:#dbe9f8}\n"
    "@media (prefers-color-scheme:dark){text{fill:#e8e8e8}.soft{fill:#a9adb5}.ground{fill:#16181c}.axis{stroke:#a9adb5}"
    ".b0{fill:#7ab4f0}.e{stroke:#7ab4f0}.s{stroke:#7ab4f0}.p{fill:#17304d}}\n";
constexpr const char* kPatterns =
    "<pattern id=\"s1\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"p\" width=\"8\" "
    "height=\"8\"/><path class=\"s\" stroke-width=\"1.6\" d=\"M0,8 L8,0\"/></pattern>\n"
    "<pattern id=\"s2\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"p\" width=\"8\" "
    "height=\"8\"/><path class=\"s\" stroke-width=\"1.6\" d=\"M0,4 H8\"/></pattern>\n"
    "<pattern id=\"s3\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect class=\"p\" width=\"8\" "
    "height=\"8\"/></pattern>\n";
constexpr std::size_t kPatternCount = 4;

struct Series {
  std::string name;
  std::vector<double> values;       // one a block
  std::vector<std::string> labels;  // as they are written down
};

struct Panel {
  std::string title;
  std::vector<Series> series;
  std::vector<std::vector<std::string>> below;  // of a block: lines below its bars, its shape first
};

double width_of(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, what);
}

double largest(const Panel& panel) {
  double most = 0;
  for (const Series& series : panel.series)
    for (const double value : series.values) most = std::max(most, value);
  return most;
}

// What a block's bars and words need side by side.
double least_group(const Panel& panel) {
  double least = kLeastGroup, figure = 0;
  for (const Series& series : panel.series)
    for (const std::string& label : series.labels) figure = std::max(figure, width_of(label) + 4);
  for (const auto& lines : panel.below)
    for (const std::string& line : lines) least = std::max(least, width_of(line) + 6);
  return std::max(least, figure * static_cast<double>(panel.series.size()) + 16);
}

// Its title and its key.
double least_panel(const Panel& panel) {
  double key = 0;
  for (const Series& series : panel.series) key += 17 + width_of(series.name) + 12;
  return std::max(1.2 * width_of(panel.title), panel.series.size() > 1 ? key : 0);
}

std::string bar(double x, double base, double width, double height, const std::string& label, std::size_t series) {
  return fmt::format(
             "<rect class=\"b{} e\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
             "stroke-width=\"1\"/>\n",
             series % kPatternCount, x, base - height, width, height) +
         text(x + width / 2, base - height - 5, label, "text-anchor=\"middle\" font-size=\"11\"");
}

// Over as many lines as it needs; moves `top` by all but the first.
std::string key(const Panel& panel, double left, double& top, double width) {
  std::string svg;
  double x = left;
  for (std::size_t s = 0; panel.series.size() > 1 && s < panel.series.size(); ++s) {
    const double all = 17 + width_of(panel.series[s].name) + 12;
    if (x > left && x + all - 12 > left + width) x = left, top += 18;
    svg += fmt::format("<rect class=\"b{} e\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\"/>\n",
                       s % kPatternCount, x, top + 28);
    svg += text(x + 17, top + 38, panel.series[s].name, "font-size=\"11\"");
    x += all;
  }
  return svg;
}

std::string draw(const Panel& panel, double left, double top, double group) {
  const double base = top + kHead + kHeight, most = largest(panel);
  const double width = group * static_cast<double>(panel.below.size());
  std::string svg = text(left, top + 18, panel.title, "font-weight=\"600\"");
  svg += key(panel, left, top, std::max(width, least_panel(panel)));
  const double bar_width = (group - 16) / static_cast<double>(panel.series.size());
  for (std::size_t s = 0; s < panel.series.size(); ++s)
    for (std::size_t block = 0; block < panel.below.size(); ++block)
      svg += bar(left + group * static_cast<double>(block) + 8 + bar_width * static_cast<double>(s), base,
                 bar_width - 4, kHeight * panel.series[s].values[block] / most, panel.series[s].labels[block], s);
  for (std::size_t block = 0; block < panel.below.size(); ++block)
    for (std::size_t line = 0; line < panel.below[block].size(); ++line)
      svg += text(left + group * (static_cast<double>(block) + 0.5), base + 17 + 15 * static_cast<double>(line),
                  panel.below[block][line],
                  line == 0 ? "text-anchor=\"middle\"" : "text-anchor=\"middle\" font-size=\"11\" class=\"soft\"");
  return svg + fmt::format("<line class=\"axis\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                           base, left + width, base);
}

// The same in a narrow picture: a line for each bar, from the left to the right. Moves `y`.
std::string draw_lying(const Panel& panel, double left, double& y, double width) {
  constexpr double kLine = 19;
  double names = 0, figures = 0;
  for (const auto& lines : panel.below) names = std::max(names, 1.1 * width_of(lines[0]) + 10);
  for (const Series& series : panel.series)
    for (const std::string& label : series.labels) figures = std::max(figures, width_of(label) + 8);
  std::string svg = text(left, y + 18, panel.title, "font-weight=\"600\"");
  svg += key(panel, left, y, width);
  y += panel.series.size() > 1 ? kHead - 10 : kHead / 2;
  const double room = width - names - figures, from = y;
  for (std::size_t block = 0; block < panel.below.size(); ++block) {
    svg += text(left, y + 12, panel.below[block][0]);
    for (std::size_t s = 0; s < panel.series.size(); ++s, y += kLine) {
      const double length = room * panel.series[s].values[block] / largest(panel);
      svg += fmt::format(
          "<rect class=\"b{} e\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"14.0\" stroke-width=\"1\"/>\n",
          s % kPatternCount, left + names, y, length);
      svg += text(left + names + length + 5, y + 11, panel.series[s].labels[block], "font-size=\"11\"");
    }
    if (panel.below[block].size() > 1) {
      svg += text(left + names, y + 8, panel.below[block][1] + ", " + panel.below[block][2],
                  "font-size=\"11\" class=\"soft\"");
      y += 14;
    }
    y += 6;
  }
  return svg + fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n",
                           left + names, from - 4, y);
}

// With what the padding costs below each block.
Panel programs_of(const TileTable& table) {
  Panel panel{"Programs", {{"programs", {}, {}}}, {}};
  for (const TileTable::Row& row : table.rows) {
    const TilePlan& plan = row.plans.front();
    const double more =
        100.0 * static_cast<double>(plan.padded_elements - plan.elements) / static_cast<double>(plan.elements);
    panel.series[0].values.push_back(static_cast<double>(plan.programs));
    panel.series[0].labels.push_back(grouped(plan.programs));
    panel.below.push_back(
        {to_string(row.block), grouped(plan.padded_elements) + " elements", fmt::format("+{:.0f} % padding", more)});
  }
  return panel;
}

Panel bytes_of(const TileTable& table) {
  Panel panel{"Modeled KiB of the windows", {}, {}};
  for (std::size_t s = 0; s < table.input_slots.size(); ++s) {
    const auto slots = table.input_slots[s];
    Series series{fmt::format("{} input slot{}", slots, slots == 1 ? "" : "s"), {}, {}};
    for (const TileTable::Row& row : table.rows) {
      series.values.push_back(static_cast<double>(row.plans[s].modeled_bytes) / 1024);
      series.labels.push_back(series.values.back() < 1000 ? fmt::format("{:.4g}", series.values.back())
                                                          : grouped(row.plans[s].modeled_bytes / 1024));
    }
    panel.series.push_back(std::move(series));
  }
  for (const TileTable::Row& row : table.rows) panel.below.push_back({to_string(row.block)});
  return panel;
}

// Words over as many lines as they need.
std::vector<std::string> lines_of(const std::string& words, double width) {
  std::istringstream in(words);
  std::vector<std::string> lines = {""};
  for (std::string word; in >> word;) {
    if (!lines.back().empty() && width_of(lines.back() + " " + word) > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

std::string to_svg(const TileTable& table, int wanted) {
  const Panel programs = programs_of(table), bytes = bytes_of(table);
  const auto blocks = static_cast<double>(table.rows.size());
  const double least = std::max(
      {std::max(least_group(programs), least_group(bytes)) * blocks, least_panel(programs), least_panel(bytes)});
  const double usual = std::max({least, kUsualGroup * blocks, 3 * kUsualGroup});
  const double width = wanted > 0 ? wanted : 2 * usual + kGap + 2 * kMargin;
  const bool beside = 2 * least + kGap + 2 * kMargin <= width;
  const bool standing = beside || least + 2 * kMargin <= width;
  const double room = beside ? (width - 2 * kMargin - kGap) / 2 : width - 2 * kMargin;
  const double group = std::min(room, usual) / blocks, panel = kHead + kHeight + kFoot;

  std::string body;
  double y = 0;
  if (standing) {
    body = draw(programs, kMargin, 0, group);
    body += beside ? draw(bytes, kMargin + room + kGap, 0, group) : draw(bytes, kMargin, panel, group);
    y = beside ? panel : 2 * panel - kFoot / 2;
  } else {
    body = draw_lying(programs, kMargin, y, room);
    y += 8;
    body += draw_lying(bytes, kMargin, y, room);
  }
  const std::string title = fmt::format("Tiles of a {} {} matrix", to_string(table.shape), table.dtype);
  const std::string caption = "modeled from the configuration, nothing was run or measured";
  const std::string left_out = fmt::format("Left out of the bytes: {}", fmt::join(left_out_of_the_model(), ", "));
  const auto paragraph = [&](const std::string& words, const std::string& more) {
    for (const std::string& line : lines_of(words, width - 2 * kMargin)) body += text(kMargin, y += 17, line, more);
  };
  paragraph(title + ": " + caption, "");
  paragraph(left_out, "class=\"soft\"");
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
             "{1:.0f}\" role=\"img\" aria-labelledby=\"t d\" font-size=\"12\">\n<title id=\"t\">{2}</title>\n<desc "
             "id=\"d\">{2}: {3}. {4}.</desc>\n<style>{5}</style>\n<defs>\n{6}</defs>\n<rect class=\"ground\" "
             "width=\"100%\" height=\"100%\"/>\n",
             width, y + 16, title, caption, left_out, kStyle, kPatterns) +
         body + "</svg>\n";
}

std::string to_bar_text(const TileTable& table) {
  constexpr double kColumns = 40;
  std::string all;
  for (const Panel& panel : {programs_of(table), bytes_of(table)}) {
    all += panel.title + "\n";
    for (std::size_t block = 0; block < panel.below.size(); ++block)
      for (std::size_t s = 0; s < panel.series.size(); ++s) {
        const Series& series = panel.series[s];
        const auto length = static_cast<std::size_t>(kColumns * series.values[block] / largest(panel) + 0.5);
        const std::vector<std::string>& below = panel.below[block];
        const std::string name = panel.series.size() > 1 ? series.name : fmt::format("{}, {}", below[1], below[2]);
        all += fmt::format("  {:<8} {:>8} {:<{}} {}\n", s == 0 ? below[0] : "", series.labels[block],
                           std::string(length, s % 2 == 0 ? '#' : '='), static_cast<int>(kColumns), name);
      }
  }
  return all;
}

}  // namespace millrace::plan
