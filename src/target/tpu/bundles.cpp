// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/bundles.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace millrace::target {

namespace {

constexpr std::int64_t kDelaySlots = 4;  // bundles behind a branch that run in any case

template <class F>
void each_line(std::string_view text, F&& f) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!f(text.substr(0, end))) return;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t\r");
  return from == text.npos ? std::string_view() : text.substr(from, to - from + 1);
}

std::optional<std::int64_t> number(std::string_view text, int base = 10) {
  text = trimmed(text);
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n, base);
  if (error != std::errc() || end == text.data()) return {};
  return n;
}

// `  0x38 LB: > { ... }`: address, label, depth, operations.
struct Bundle {
  std::int64_t address = 0;
  std::string_view label;
  int depth = 0;
  std::string_view operations;
};

std::optional<Bundle> bundle_in(std::string_view line) {
  const std::size_t colon = line.find(':'), brace = line.find('{');
  if (colon == line.npos || brace == line.npos || colon > brace || brace > 60) return {};
  Bundle b;
  std::string_view head = trimmed(line.substr(0, colon));
  const std::size_t gap = std::min(head.find(' '), head.size());
  if (head.substr(0, gap) != "0" && !head.starts_with("0x")) return {};
  const auto address = number(head.substr(0, gap), 16);
  if (!address) return {};
  b.address = *address;
  b.label = trimmed(head.substr(gap));
  for (const char c : line.substr(colon + 1, brace - colon - 1)) b.depth += c == '>';
  b.operations = line.substr(brace);
  return b;
}

// The numbers N of every "Start region N" in a bundle's comments.
void note_regions(const Bundle& bundle, std::map<std::int64_t, std::int64_t>& begins) {
  constexpr std::string_view kStart = "Start region ";
  for (std::size_t at = bundle.operations.find(kStart); at != std::string_view::npos;
       at = bundle.operations.find(kStart, at + 1))
    if (const auto n = number(bundle.operations.substr(at + kStart.size(), 12))) begins.emplace(*n, bundle.address);
}

// The comparison that ends a loop: `scmp.ge.s32.totalorder %s10, 15 /* loop exit test */`, its register and constant.
struct ExitTest {
  std::string_view counter;
  std::int64_t bound = 0;
};

std::optional<ExitTest> exit_test(std::string_view operations) {
  const std::size_t comment = operations.find("/* loop exit test */");
  if (comment == std::string_view::npos) return {};
  constexpr std::string_view kCompare = "scmp.ge.s32.totalorder ";
  const std::size_t compare = operations.rfind(kCompare, comment);
  const std::size_t comma = operations.rfind(',', comment);
  if (compare == std::string_view::npos || comma == std::string_view::npos || comma < compare) return {};
  const std::size_t begin = compare + kCompare.size();
  const std::string_view bound = trimmed(operations.substr(comma + 1, comment - comma - 1));
  const bool constant = std::all_of(bound.begin(), bound.end(), [](unsigned char c) { return std::isdigit(c); });
  const auto n = constant ? number(bound) : std::nullopt;
  if (!n) return {};
  return ExitTest{trimmed(operations.substr(begin, comma - begin)), *n};
}

// Behind `what`, up to the end of a word.
std::string_view word_behind(std::string_view text, const std::string& what) {
  const std::size_t at = text.find(what);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + what.size());
  return text.substr(0, text.find_first_of(" ,;}"));
}

// The register that a spill slot holds: nothing unless it is stored to just once.
std::string_view spilled(std::string_view text, std::string_view slot) {
  if (!slot.ends_with("_spill]]")) return {};
  const std::string store = "sst [smem:[" + std::string(slot) + " ";
  const std::size_t first = text.find(store);
  if (first == std::string_view::npos || text.find(store, first + 1) != std::string_view::npos) return {};
  return word_behind(text.substr(first), store);
}

// What a register holds, copies and spills followed: another register, or the number that was moved into it.
std::string_view origin(std::string_view text, std::string_view reg) {
  for (int hops = 0; hops < 8 && reg.starts_with('%'); ++hops) {
    std::string_view from = word_behind(text, std::string(reg) + " = smov ");
    if (from.empty()) from = spilled(text, word_behind(text, std::string(reg) + " = sld [smem:["));
    if (from.empty()) break;
    reg = from;
  }
  return reg;
}

// Whether the register that the test looks at counts passes: from 0, by ones. Its phi names where it begins.
bool counts_passes(std::string_view text, std::string_view tested) {
  const std::string_view counter = origin(text, tested);
  const std::string_view incremented = word_behind(text, std::string(counter) + " = sadd.s32 1, ");
  if (incremented.empty()) return false;
  const std::string phi = std::string(origin(text, incremented)) + " = sphi ";
  const std::string_view first = word_behind(text, phi);
  const std::string_view next = first.empty() ? first : word_behind(text, phi + std::string(first) + ", ");
  return !next.empty() && origin(text, next) == counter && origin(text, first) == "0";
}

// Where a relative branch goes: the N of `target = $regionN`.
std::optional<std::int64_t> branch_target(std::string_view operations) {
  const std::size_t branch = operations.find("sbr.rel");
  if (branch == std::string_view::npos) return {};
  constexpr std::string_view kTarget = "target = $region";
  const std::size_t at = operations.find(kTarget, branch);
  return at == std::string_view::npos ? std::nullopt : number(operations.substr(at + kTarget.size(), 12));
}

}  // namespace

std::optional<BundleListing> read_bundles(std::string_view text, int* unread_loops) {
  BundleListing listing;
  std::vector<BundleLoop> open;
  std::map<std::int64_t, std::int64_t> region_begins;
  each_line(text, [&](std::string_view line) {
    const auto bundle = bundle_in(line);
    if (!bundle) return true;
    listing.bundles = std::max(listing.bundles, bundle->address + 1);
    if (bundle->label == "LB") open.push_back({bundle->address, 0, std::max(bundle->depth, 1), {}});
    note_regions(*bundle, region_begins);
    if (open.empty()) return true;
    if (const auto test = exit_test(bundle->operations); test && counts_passes(text, test->counter))
      open.back().trips = test->bound;
    const auto target = branch_target(bundle->operations);
    const auto begin = target ? region_begins.find(*target) : region_begins.end();
    // A branch back to where the innermost open loop begins closes it.
    if (begin == region_begins.end() || begin->second != open.back().first) return true;
    open.back().bundles = bundle->address + kDelaySlots + 1 - open.back().first;
    listing.loops.push_back(open.back());
    open.pop_back();
    return true;
  });
  if (unread_loops) *unread_loops = static_cast<int>(open.size());
  if (listing.bundles == 0) return {};
  std::sort(listing.loops.begin(), listing.loops.end(),
            [](const BundleLoop& a, const BundleLoop& b) { return a.first < b.first; });
  for (BundleLoop& l : listing.loops) l.bundles = std::min(l.bundles, listing.bundles - l.first);
  return listing;
}

const BundleLoop* main_loop(const BundleListing& listing) {
  const BundleLoop* best = nullptr;
  const auto weight = [](const BundleLoop& l) {
    return static_cast<double>(l.bundles) * static_cast<double>(l.trips.value_or(1));
  };
  for (const BundleLoop& l : listing.loops)
    if (l.depth == 1 && (!best || weight(l) > weight(*best))) best = &l;
  return best;
}

std::optional<Utilisation> read_utilisation(std::string_view text) {
  Utilisation u;
  int part = 0;  // 1: the names are due, 2: the capacities, 3: rows
  bool sound = true;
  each_line(text, [&](std::string_view line) {
    line = trimmed(line);
    if (line.starts_with("== CAP"))
      part = 1;
    else if (line.starts_with("== UTIL"))
      part = 3;
    else if (part == 1) {
      for (std::string_view rest = line; !rest.empty();) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        u.slots.push_back({std::string(trimmed(rest.substr(0, comma))), 0, 0});
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
      part = 2;
    } else if ((part == 2 || part == 3) && !line.empty()) {
      std::size_t column = 0;
      for (std::string_view rest = line; !rest.empty(); rest = trimmed(rest)) {
        const std::size_t gap = std::min(rest.find(' '), rest.size());
        const auto n = number(rest.substr(0, gap));
        if (!n || column >= u.slots.size()) return sound = false;
        (part == 2 ? u.slots[column].capacity : u.slots[column].used) += *n;
        ++column, rest.remove_prefix(gap);
      }
      if (column != u.slots.size()) return sound = false;
      u.bundles += part == 3;
    }
    return true;
  });
  if (!sound || u.slots.empty() || u.bundles == 0) return {};
  return u;
}

std::optional<ScheduleTotals> read_schedule(std::string_view text) {
  const auto behind = [&](std::string_view words) -> std::optional<std::int64_t> {
    const std::size_t at = text.substr(0, 2000).find(words);
    return at == std::string_view::npos ? std::nullopt : number(text.substr(at + words.size(), 40));
  };
  const auto total = behind("total scheduled bundles:"), empty = behind("\tempty scheduled bundles:");
  if (!total || !empty) return {};
  return ScheduleTotals{*total, *empty};
}

}  // namespace millrace::target
