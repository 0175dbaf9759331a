// SPDX-License-Identifier: Apache-2.0
#include "plan/bars.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace millrace::plan {
namespace {

constexpr double kTop = 64, kHeight = 180, kBase = kTop + kHeight;      // of the bars' area, in pixels
constexpr double kGroup = 96, kMargin = 24, kGap = 48, kPicture = 316;  // widths, and the picture's height
constexpr std::array<const char*, 4> kColors = {"#2563a8", "#e08b2c", "#4b9a5b", "#8a5fb0"};

struct Series {
  std::string name;
  std::vector<std::int64_t> values;  // one a block
};

struct Panel {
  std::string title;
  std::vector<Series> series;
};

std::string text(double x, double y, const std::string& what, const std::string& more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, more, what);
}

std::int64_t largest(const Panel& panel) {
  std::int64_t most = 1;
  for (const Series& series : panel.series) {
    for (const std::int64_t value : series.values) most = std::max(most, value);
  }
  return most;
}

std::string bar(double x, double width, std::int64_t value, std::int64_t most, const std::string& color) {
  const double height = kHeight * static_cast<double>(value) / static_cast<double>(most);
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", x,
                     kBase - height, width, height, color) +
         text(x + width / 2, kBase - height - 4, std::to_string(value), "text-anchor=\"middle\" font-size=\"10\"");
}

std::string draw(const Panel& panel, const TileTable& table, double left, double width) {
  std::string svg = text(left, kTop - 30, panel.title, "font-weight=\"bold\"");
  const std::int64_t most = largest(panel);
  const double bar_width = (kGroup - 20) / static_cast<double>(panel.series.size());
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    for (std::size_t block = 0; block < table.rows.size(); ++block) {
      const double x = left + kGroup * static_cast<double>(block) + 10 + bar_width * static_cast<double>(s);
      svg += bar(x, bar_width - 2, panel.series[s].values[block], most, kColors[s % kColors.size()]);
    }
  }
  for (std::size_t block = 0; block < table.rows.size(); ++block) {
    svg += text(left + kGroup * (static_cast<double>(block) + 0.5), kBase + 16, to_string(table.rows[block].block),
                "text-anchor=\"middle\"");
  }
  svg += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#444\"/>\n", left, kBase,
                     left + width, kBase);
  std::string key;
  for (std::size_t s = 0; panel.series.size() > 1 && s < panel.series.size(); ++s) {
    key += fmt::format("<tspan fill=\"{}\">\u25a0 </tspan>{}  ", kColors[s % kColors.size()], panel.series[s].name);
  }
  return svg + text(left, kBase + 34, key);
}

Panel programs_of(const TileTable& table) {
  Panel panel{"programs", {{"programs", {}}}};
  for (const TileTable::Row& row : table.rows) panel.series[0].values.push_back(row.plans.front().programs);
  return panel;
}

Panel bytes_of(const TileTable& table) {
  Panel panel{"modeled bytes of the windows", {}};
  for (std::size_t s = 0; s < table.input_slots.size(); ++s) {
    Series series{fmt::format("{} input slots", table.input_slots[s]), {}};
    for (const TileTable::Row& row : table.rows) series.values.push_back(row.plans[s].modeled_bytes);
    panel.series.push_back(std::move(series));
  }
  return panel;
}

}  // namespace

std::string to_svg(const TileTable& table) {
  const double panel = std::max(280.0, kGroup * static_cast<double>(table.rows.size()));
  const double width = 2 * panel + kGap + 2 * kMargin;
  const std::string title = fmt::format("Tiles of a {} {} matrix", to_string(table.shape), table.dtype);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n<title>{2}</title>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, kPicture, title);
  svg += draw(programs_of(table), table, kMargin, panel);
  svg += draw(bytes_of(table), table, kMargin + panel + kGap, panel);
  svg += text(kMargin, kPicture - 14, title + ": modeled from the configuration, nothing was run or measured");
  return svg + "</svg>\n";
}

}  // namespace millrace::plan
