// SPDX-License-Identifier: Apache-2.0
#include "plan/bars.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace millrace::plan {
namespace {

constexpr double kTop = 66, kHeight = 180, kBase = kTop + kHeight;  // of the bars' area, in pixels
constexpr double kGroup = 104, kMargin = 24, kGap = 44, kPicture = 366;

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
};

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, what);
}

double largest(const Panel& panel) {
  double most = 0;
  for (const Series& series : panel.series)
    for (const double value : series.values) most = std::max(most, value);
  return most;
}

std::string bar(double x, double width, double height, const std::string& label, std::size_t series) {
  return fmt::format(
             "<rect class=\"b{} e\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
             "stroke-width=\"1\"/>\n",
             series % kPatternCount, x, kBase - height, width, height) +
         text(x + width / 2, kBase - height - 5, label, "text-anchor=\"middle\" font-size=\"11\"");
}

std::string key(const Panel& panel, double left) {
  std::string svg;
  for (std::size_t s = 0; panel.series.size() > 1 && s < panel.series.size(); ++s) {
    const double x = left + 112 * static_cast<double>(s);
    svg += fmt::format("<rect class=\"b{} e\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"12\"/>\n",
                       s % kPatternCount, x, kTop - 34);
    svg += text(x + 17, kTop - 24, panel.series[s].name, "font-size=\"11\"");
  }
  return svg;
}

std::string draw(const Panel& panel, const TileTable& table, double left, double width) {
  std::string svg = text(left, kTop - 44, panel.title, "font-weight=\"600\"") + key(panel, left);
  const double most = largest(panel);
  const double bar_width = (kGroup - 24) / static_cast<double>(panel.series.size());
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    for (std::size_t block = 0; block < table.rows.size(); ++block) {
      const double x = left + kGroup * static_cast<double>(block) + 12 + bar_width * static_cast<double>(s);
      const double height = kHeight * panel.series[s].values[block] / most;
      svg += bar(x, bar_width - 4, height, panel.series[s].labels[block], s);
    }
  }
  for (std::size_t block = 0; block < table.rows.size(); ++block)
    svg += text(left + kGroup * (static_cast<double>(block) + 0.5), kBase + 17, to_string(table.rows[block].block),
                "text-anchor=\"middle\"");
  return svg + fmt::format("<line class=\"axis\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", left,
                           kBase, left + width, kBase);
}

Panel programs_of(const TileTable& table) {
  Panel panel{"Programs", {{"programs", {}, {}}}};
  for (const TileTable::Row& row : table.rows) {
    panel.series[0].values.push_back(static_cast<double>(row.plans.front().programs));
    panel.series[0].labels.push_back(std::to_string(row.plans.front().programs));
  }
  return panel;
}

Panel bytes_of(const TileTable& table) {
  Panel panel{"Modeled KiB of the windows", {}};
  for (std::size_t s = 0; s < table.input_slots.size(); ++s) {
    Series series{fmt::format("{} input slots", table.input_slots[s]), {}, {}};
    for (const TileTable::Row& row : table.rows) {
      series.values.push_back(static_cast<double>(row.plans[s].modeled_bytes) / 1024);
      series.labels.push_back(fmt::format("{:.4g}", series.values.back()));
    }
    panel.series.push_back(std::move(series));
  }
  return panel;
}

// Below the blocks of the first panel: what the padding costs.
std::string padding(const TileTable& table, double left) {
  std::string svg;
  for (std::size_t block = 0; block < table.rows.size(); ++block) {
    const TilePlan& plan = table.rows[block].plans.front();
    const double more =
        100.0 * static_cast<double>(plan.padded_elements - plan.elements) / static_cast<double>(plan.elements);
    const double middle = left + kGroup * (static_cast<double>(block) + 0.5);
    svg += text(middle, kBase + 33, fmt::format("{} elements", plan.padded_elements),
                "text-anchor=\"middle\" font-size=\"11\" class=\"soft\"");
    svg += text(middle, kBase + 47, fmt::format("+{:.0f} % padding", more),
                "text-anchor=\"middle\" font-size=\"11\" class=\"soft\"");
  }
  return svg;
}

}  // namespace

std::string to_svg(const TileTable& table) {
  const double panel = std::max(312.0, kGroup * static_cast<double>(table.rows.size()));
  const double width = 2 * panel + kGap + 2 * kMargin;
  const std::string title = fmt::format("Tiles of a {} {} matrix", to_string(table.shape), table.dtype);
  const std::string caption = "modeled from the configuration, nothing was run or measured";
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "role=\"img\" aria-labelledby=\"t d\" font-size=\"12\">\n<title id=\"t\">{2}</title>\n<desc id=\"d\">{2}: "
      "{3}</desc>\n"
      "<style>{4}</style>\n<defs>\n{5}</defs>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
      width, kPicture, title, caption, kStyle, kPatterns);
  svg += draw(programs_of(table), table, kMargin, panel) + padding(table, kMargin);
  svg += draw(bytes_of(table), table, kMargin + panel + kGap, panel);
  svg += text(kMargin, kPicture - 34, title + ": " + caption);
  svg += text(kMargin, kPicture - 16,
              fmt::format("Left out of the bytes: {}", fmt::join(left_out_of_the_model(), ", ")), "class=\"soft\"");
  return svg + "</svg>\n";
}

}  // namespace millrace::plan
