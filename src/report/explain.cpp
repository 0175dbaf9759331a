// SPDX-License-Identifier: Apache-2.0
#include "report/explain.h"

#include <fmt/format.h>

#include "check/catalogue.h"
#include "millrace/error.h"
#include "report/examples_text.h"
#include "report/json.h"

namespace millrace::report {

namespace {

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > 0 && column + 1 + end > columns) out += '\n', column = 0;
    if (column > 0) out += ' ', ++column;
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string indented(const std::string& text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += (end > at ? "    " : "") + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

// An example stands between its title and the next one, or the end of the list.
std::string example_of(std::string_view id) {
  const std::string_view all = examples_text();
  const std::string title = fmt::format("\n// -- {}\n", id);
  const std::size_t at = all.find(title);
  if (at == all.npos) return "";
  const std::size_t begin = at + title.size();
  std::string_view text = all.substr(begin, all.find("\n// -- ", begin) - begin);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text) + "\n";
}

std::string explain(std::string_view id) {
  const checkers::Rule* rule = checkers::find_rule(id);
  if (!rule)
    throw Error(ErrorCode::kUser, fmt::format("no finding has the id `{}`; `millrace explain` lists them", id));
  std::string text = fmt::format("{} ({}): {}\n\n", id, name_of(rule->severity), rule->title);
  text += wrapped(rule->meaning, 100);
  text += "\n" + wrapped("Usual mend: " + std::string(rule->mend) + ".", 100);
  if (const std::string example = example_of(rule->id); !example.empty())
    text += fmt::format("\nThe smallest example{}:\n\n{}",
                        example.find("bool mended") == example.npos ? "" : " (with `mended` it is right)",
                        indented(example));
  return text + fmt::format("\nClause {} of docs/semantics.md.\n", rule->clause);
}

std::string explain_all() {
  std::string text;
  for (const checkers::Rule& r : checkers::rules())
    text += fmt::format("{:<20} {:<8} {}\n", r.id, name_of(r.severity), r.title);
  return text + "\n`millrace explain ID` has more of each.\n";
}

}  // namespace millrace::report
