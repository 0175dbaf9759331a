// SPDX-License-Identifier: Apache-2.0
#include "view/palette.h"

#include <fmt/format.h>

#include <array>

namespace millrace::view {

namespace {

constexpr std::array<Colour, kColours> kLight = {{{"#1d5fa8", "#dbe9f8"},
                                                  {"#b04a00", "#fbe6d5"},
                                                  {"#12734f", "#d8f0e4"},
                                                  {"#7a3fb0", "#ece0f7"},
                                                  {"#a1246b", "#f9dcea"},
                                                  {"#5a6410", "#eef0cf"},
                                                  {"#0b6a78", "#d5eff2"},
                                                  {"#6d4a2c", "#efe4da"}}};
constexpr std::array<Colour, kColours> kDark = {{{"#7ab4f0", "#17304d"},
                                                 {"#f2a267", "#4a2a12"},
                                                 {"#6fd0a5", "#123b2b"},
                                                 {"#c39af0", "#362150"},
                                                 {"#f08fc0", "#4a1836"},
                                                 {"#cdd36b", "#34380f"},
                                                 {"#6ecfdc", "#0f3a41"},
                                                 {"#d9b08c", "#3d2a1a"}}};

// Stripes of a slot's number: rising, falling, dots, a grid.
std::string stripes(std::uint32_t pattern) {
  switch (pattern) {
    case 0: return "<path d=\"M0,8 L8,0\"/>";
    case 1: return "<path d=\"M0,0 L8,8\"/>";
    case 2: return "<path d=\"M3.2,4 h1.6\"/>";
    default: return "<path d=\"M4,0 V8 M0,4 H8\"/>";
  }
}

std::string rules(bool dark) {
  std::string css;
  for (std::uint32_t c = 0; c < kColours; ++c) {
    const Colour colour = colour_of(c, dark);
    css +=
        fmt::format(".l{0}{{stroke:{1}}}.p{0} path{{stroke:{1}}}.p{0} rect{{fill:{2}}}\n", c, colour.line, colour.tint);
  }
  const char *ink = dark ? "#e8e8e8" : "#1c1c1c", *ground = dark ? "#16181c" : "#ffffff";
  const char *soft = dark ? "#a9adb5" : "#565b63", *line = dark ? "#4a4f58" : "#c9ccd1";
  const char *grey = dark ? "#30343b" : "#ebedf0", *red = dark ? "#ff8f85" : "#b3140b",
             *pale = dark ? "#4d1512" : "#fde3e1";
  css += fmt::format(
      ".ground{{fill:{1}}}text{{fill:{0}}}.soft{{fill:{2}}}.rule{{stroke:{3}}}.ink{{stroke:{0}}}.inked{{fill:{0}}}"
      ".work{{fill:{4};stroke:{2}}}.still{{fill:{1};stroke:{2}}}.halo{{stroke:{1}}}.arrow{{stroke:{2}}}"
      ".bad{{stroke:{5}}}.badfill{{fill:{5}}}.badtint{{fill:{6}}}.badtext{{fill:{5}}}.on{{fill:{1}}}\n",
      ink, ground, soft, line, grey, red, pale);
  return css;
}

}  // namespace

Colour colour_of(std::uint32_t letter, bool dark) { return (dark ? kDark : kLight)[letter % kColours]; }

std::string class_of(std::uint32_t letter, std::uint32_t slot) {
  return fmt::format("s-{}-{}", letter % kColours, slot % kPatterns);
}

std::uint32_t number_of(const std::string& letter) {
  std::uint32_t n = 0;
  for (const char c : letter) n = n * 26 + static_cast<std::uint32_t>(c - 'A') + 1;
  return n == 0 ? 0 : n - 1;
}

std::string patterns() {
  std::string all;
  for (std::uint32_t c = 0; c < kColours; ++c)
    for (std::uint32_t p = 0; p < kPatterns; ++p)
      all += fmt::format(
          "<pattern id=\"{}\" class=\"p{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
          "<rect width=\"8\" height=\"8\"/><g fill=\"none\" stroke-width=\"{}\" "
          "stroke-opacity=\"0.55\">{}</g></pattern>\n",
          class_of(c, p), c, p == 2 ? "2" : "1.1", stripes(p));
  return all;
}

std::string style() {
  return "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}\n" + rules(false) +
         "@media (prefers-color-scheme:dark){\n" + rules(true) + "}\n";
}

}  // namespace millrace::view
