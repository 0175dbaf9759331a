// SPDX-License-Identifier: Apache-2.0
#include "report/github.h"

#include <fmt/format.h>

#include "report/json.h"

namespace millrace::report {

namespace {

std::string replaced(std::string text, const std::vector<std::pair<char, const char*>>& escapes) {
  std::string out;
  for (char c : text) {
    const char* escape = nullptr;
    for (const auto& [plain, coded] : escapes)
      if (c == plain) escape = coded;
    escape ? out += escape : out += c;
  }
  return out;
}

// The two forms that the runner undoes: of a message, and of a property.
std::string message(const std::string& text) { return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}}); }
std::string property(const std::string& text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

std::string command_of(const Checked& c, const Finding& f, const Naming& naming) {
  std::string place;
  const std::vector<Spot> spots = spots_of(f);
  if (!spots.empty() && spots[0].location.line > 0)
    place = fmt::format("file={},line={},", property(naming.source(spots[0].location.file)), spots[0].location.line);
  std::string text = f.message;
  for (std::size_t i = 1; i < spots.size(); ++i) text += fmt::format("\n{}: {}", spots[i].at, spots[i].what);
  if (!f.hint.empty()) text += "\nusual mend: " + f.hint;
  return fmt::format("::{} {}title={}::{}\n", name_of(f.severity), place, property(f.id + " in " + c.kernel),
                     message(text));
}

}  // namespace

std::string to_github(const Checked& checked, const Naming& naming) {
  std::string text;
  for (std::size_t i = 0; i < checked.findings.size(); ++i)
    if (checked.is_new(i)) text += command_of(checked, checked.findings[i], naming);
  return text;
}

}  // namespace millrace::report
