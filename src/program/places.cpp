// SPDX-License-Identifier: Apache-2.0
#include "program/places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace millrace::program {

namespace {

using mosaic::Location;

std::string line_of(const Location& l) { return fmt::format("{}:{}", l.file, l.line); }

// By location without a file: the lines of the nearest operations around the operations there.
class Around {
 public:
  explicit Around(const mosaic::Module& module) : module_(module), lines_(module.locations.size()) {
    for (const mosaic::Function& f : module.functions) walk(f.body);
  }
  const std::vector<std::string>& of(std::size_t location) const { return lines_[location]; }

 private:
  // Without recursion: the depth of a module is its author's.
  void walk(const mosaic::Region& body) {
    std::vector<std::pair<const mosaic::Region*, std::string>> todo = {{&body, ""}};
    for (std::size_t next = 0; next < todo.size(); ++next) {
      const auto [region, line] = todo[next];
      for (const mosaic::Op& op : region->ops) {
        const Location& here = module_.locations[op.location];
        if (here.file.empty()) add(op.location, line);
        for (const mosaic::Region& inner : op.regions)
          todo.emplace_back(&inner, here.file.empty() ? line : line_of(here));
      }
    }
  }
  void add(std::size_t location, const std::string& line) {
    std::vector<std::string>& lines = lines_[location];
    if (!line.empty() && std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
  }

  const mosaic::Module& module_;
  std::vector<std::vector<std::string>> lines_;
};

// The phases of JAX's emit_pipeline, by the names of their scopes.
std::string_view phase_of(std::string_view scope) {
  static constexpr std::pair<std::string_view, std::string_view> kPhases[] = {
      {"ep_initialize", "pipeline start"},  {"ep_copy_in", "pipeline copy-in"},
      {"ep_wait_in", "pipeline wait-in"},   {"ep_set_accum", "pipeline accumulator"},
      {"ep_prefetch", "pipeline prefetch"}, {"ep_run_kernel", "pipeline body"},
      {"ep_copy_out", "pipeline copy-out"}, {"ep_accum", "pipeline accumulation"},
      {"ep_wait_out", "pipeline wait-out"}, {"ep_postyeet", "pipeline step end"},
      {"ep_finalize", "pipeline end"},
  };
  std::string_view found;
  std::size_t last = 0;  // the innermost pipeline counts
  for (const auto& [name, words] : kPhases) {
    const std::size_t at = scope.rfind(name);
    if (at == scope.npos || (at > 0 && scope[at - 1] != '/') || (!found.empty() && at < last)) continue;
    found = words, last = at;
  }
  return found;
}

std::string words_of(const Location& l, const std::vector<std::string>& around) {
  if (!l.file.empty()) return to_string(l);
  if (l.scope.empty() && around.empty()) return std::string(kUnknownPlace);
  const std::string lines = fmt::format("{}", fmt::join(around, " or "));
  if (const std::string_view phase = phase_of(l.scope); !phase.empty())
    return fmt::format("{} ({}){}", phase, l.scope, around.empty() ? "" : ", emit_pipeline at " + lines);
  if (around.empty()) return l.scope;
  return l.scope.empty() ? "inside " + lines : fmt::format("{} inside {}", l.scope, lines);
}

}  // namespace

std::vector<event::Place> places_of(const mosaic::Module& module) {
  const Around around(module);
  std::vector<event::Place> places;
  for (std::size_t i = 0; i < module.locations.size(); ++i) {
    const Location& l = module.locations[i];
    places.push_back({l.file.empty() ? l.scope : line_of(l), words_of(l, around.of(i))});
  }
  return places;
}

}  // namespace millrace::program
