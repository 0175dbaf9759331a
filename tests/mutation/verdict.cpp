// SPDX-License-Identifier: Apache-2.0
#include "verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "millrace/error.h"

namespace millrace::mutation {

namespace {

constexpr std::array<Fate, 7> kFates{Fate::kRefused,    Fate::kFinding,  Fate::kEndless, Fate::kOutput,
                                     Fate::kEquivalent, Fate::kSurvived, Fate::kMissed};

// A few legal orders of the same device.
constexpr std::array<const char*, 3> kOthers{"eager", "lazy", "random:1"};

Fate fate_of(const Subject& subject, const mosaic::Module& module, const Observed& mine, const Observed& original,
             std::uint64_t max_steps) {
  if (mine.refused) return Fate::kRefused;
  if (mine.endless) return Fate::kEndless;
  if (!mine.findings.empty()) return Fate::kFinding;
  for (const char* schedule : kOthers)
    if (!same_bits(observe(subject, module, schedule, max_steps).outputs, mine.outputs)) return Fate::kMissed;
  if (!same_bits(mine.outputs, original.outputs)) return Fate::kOutput;
  return mine.events == original.events ? Fate::kEquivalent : Fate::kSurvived;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
    end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
  }
  return lines;
}

// How many lines of `a` have no equal among those of `b`, whatever their order.
std::size_t only_in(std::vector<std::string_view> a, std::vector<std::string_view> b) {
  std::ranges::sort(a), std::ranges::sort(b);
  std::vector<std::string_view> rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest));
  return rest.size();
}

}  // namespace

std::string difference_of(std::string_view original, std::string_view edited) {
  const auto was = lines_of(original), is = lines_of(edited);
  const auto [a, b] = std::ranges::mismatch(was, is);
  const auto line = [](auto at, const auto& lines) { return at == lines.end() ? std::string_view("the end") : *at; };
  return fmt::format("\"{}\" became \"{}\"; {} events only in the original, {} only in the edited run", line(a, was),
                     line(b, is), only_in(was, is), only_in(is, was));
}

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::kRefused: return "refused";
    case Fate::kFinding: return "finding";
    case Fate::kEndless: return "endless";
    case Fate::kOutput: return "output";
    case Fate::kEquivalent: return "equivalent";
    case Fate::kSurvived: return "survived";
    case Fate::kMissed: return "missed";
  }
  return "";
}

std::vector<Judged> judge(const Subject& subject, std::size_t first, std::size_t step) {
  constexpr std::uint64_t kEnough = 1'000'000'000;
  const Observed original = observe(subject, subject.module, "canonical", kEnough);
  if (original.refused || original.endless || !original.findings.empty())
    throw Error(ErrorCode::kUser,
                fmt::format("{} is not clean unedited: {}", subject.name, fmt::join(original.findings, ", ")));
  const std::uint64_t max_steps = 20 * original.steps + 10'000;
  const std::vector<Edit> edits = edits_of(subject.module);
  std::vector<Judged> all;
  for (std::size_t i = first; i < edits.size(); i += step) {
    const mosaic::Module module = edited(subject.module, i);
    const Observed mine = observe(subject, module, "canonical", max_steps);
    const Fate fate = fate_of(subject, module, mine, original, max_steps);
    all.push_back({subject.name, edits[i], fate, mine.findings,
                   fate == Fate::kSurvived ? difference_of(original.events, mine.events) : ""});
  }
  return all;
}

std::string report(const std::vector<Judged>& all) {
  std::map<std::string, std::map<Fate, int>> table;
  for (const Judged& judged : all) {
    ++table[judged.edit.kind][judged.fate];
    ++table["all"][judged.fate];
  }
  std::string text = fmt::format("{:16}", "edit");
  for (const Fate fate : kFates) text += fmt::format("{:>11}", name_of(fate));
  for (auto& [kind, fates] : table) {
    text += fmt::format("\n{:16}", kind);
    for (const Fate fate : kFates) text += fmt::format("{:>11}", fates[fate]);
  }
  text += "\n";
  for (const Fate fate : {Fate::kMissed, Fate::kSurvived})
    for (const Judged& judged : all)
      if (judged.fate == fate)
        text += fmt::format("{}: {}: {} at {}{}{}\n", name_of(fate), judged.kernel, judged.edit.kind, judged.edit.place,
                            judged.difference.empty() ? "" : ": ", judged.difference);
  return text;
}

double killed_percent(const std::vector<Judged>& all) {
  const auto count = [&](auto... fates) {
    return std::ranges::count_if(all, [&](const Judged& j) { return ((j.fate == fates) || ...); });
  };
  const auto alive = count(Fate::kSurvived, Fate::kMissed), same = count(Fate::kEquivalent);
  const auto counted = static_cast<double>(all.size()) - static_cast<double>(same);
  return counted == 0 ? 100 : 100 * (counted - static_cast<double>(alive)) / counted;
}

}  // namespace millrace::mutation
