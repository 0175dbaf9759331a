// SPDX-License-Identifier: Apache-2.0
#include "view/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "view/palette.h"
#include "view/svg.h"

namespace millrace::view {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n') out += c;
    }
  }
  return out;
}

double width_of(const std::string& text, double size) {
  const auto one_of = [](std::string_view letters, char c) { return letters.find(c) != letters.npos; };
  double units = 0;
  for (const char c : text)
    units += one_of(" .,:;'|ijlI", c) ? 0.34 : one_of("frt()[]-/", c) ? 0.42 : one_of("mwMW%=+<>", c) ? 0.95 : 0.64;
  return units * size;
}

void Drawing::rect(double x, double top, double w, double h, const std::string& attributes, const std::string& title) {
  body_ += fmt::format("<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" {}", x, top,
                       std::max(w, 0.4), h, attributes);
  body_ += title.empty() ? "/>\n" : fmt::format("><title>{}</title></rect>\n", escaped(title));
}

void Drawing::group(const std::string& title) { body_ += fmt::format("<g><title>{}</title>", escaped(title)); }

void Drawing::text(double x, double base, const std::string& what, const std::string& attributes) {
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, base, attributes, escaped(what));
}

void Drawing::line(double x1, double y1, double x2, double y2, const std::string& attributes) {
  body_ +=
      fmt::format("<line x1=\"{:.2f}\" y1=\"{:.1f}\" x2=\"{:.2f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2, attributes);
}

void Drawing::paragraph(double x, const std::string& what, double size, const std::string& attributes) {
  std::istringstream words(what);
  std::string line;
  const auto put = [&] {
    y += size * 1.35;
    text(x, y - size * 0.35, line, fmt::format("font-size=\"{}\" {}", size, attributes));
    line.clear();
  };
  for (std::string word, next; words >> word;) {
    // A number and what it counts stay together, unless a sentence ends with it; so do a division and what divides.
    const bool number = word.find_first_not_of("0123456789.,") == word.npos && word.back() != '.';
    if ((number || word == "/") && words >> next) word += " " + next;
    if (!line.empty() && width_of(line + " " + word, size) > width_ - x - 12) put();
    line += (line.empty() ? "" : " ") + word;
  }
  if (!line.empty()) put();
}

std::string Drawing::finished(const std::string& title, const std::string& about) const {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-labelledby=\"t d\" font-size=\"12\">\n"
             "<title id=\"t\">{2}</title>\n<desc id=\"d\">{3}</desc>\n<style>\n{4}</style>\n<defs>\n{5}</defs>\n"
             "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n",
             width_, y, escaped(title), escaped(about), style(), patterns()) +
         body_ + "</svg>\n";
}

}  // namespace millrace::view
