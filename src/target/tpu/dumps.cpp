// SPDX-License-Identifier: Apache-2.0
#include "target/tpu/dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <system_error>

namespace millrace::target {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20;

std::string text_of(const fs::path& file) {
  std::error_code error;
  if (fs::file_size(file, error) > kMostBytes || error) return "";
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// `1795998842840620566-axpy.1-03-final_bundles.txt`: the time, the instruction, a running number, the label.
struct DumpName {
  std::string instruction, label;
};

std::optional<DumpName> dump_name(const std::string& file) {
  const std::size_t first = file.find('-');
  if (first == file.npos || !all_digits(std::string_view(file).substr(0, first))) return {};
  for (std::size_t dash = file.find('-', first + 1); dash != file.npos; dash = file.find('-', dash + 1)) {
    const std::size_t next = file.find('-', dash + 1);
    if (next == file.npos) return {};
    if (all_digits(std::string_view(file).substr(dash + 1, next - dash - 1)))
      return DumpName{file.substr(first + 1, dash - first - 1), file.substr(next + 1)};
  }
  return {};
}

bool is_of(const std::string& instruction, const std::string& name) {
  return instruction == name ||
         (instruction.starts_with(name + ".") && all_digits(std::string_view(instruction).substr(name.size() + 1)));
}

struct Found {
  std::string instruction;                              // of the kernel; empty: none, or several
  std::vector<std::pair<std::string, fs::path>> files;  // label and file
  fs::path vmem_report;
};

Found find(const fs::path& folder, const std::string& name) {
  Found found;
  std::set<std::string> instructions;
  std::vector<fs::path> all;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    all.push_back(it->path());
  std::sort(all.begin(), all.end());
  for (const fs::path& path : all) {
    const auto dump = dump_name(path.filename().string());
    if (!dump) continue;
    if (dump->label == "vmem_report.html") found.vmem_report = path;
    if (!is_of(dump->instruction, name)) continue;
    instructions.insert(dump->instruction);
    found.files.emplace_back(dump->label, path);
  }
  if (instructions.size() == 1) found.instruction = *instructions.begin();
  return found;
}

// The only file with this label, else nothing.
std::string labelled(const Found& found, std::string_view label) {
  const fs::path* only = nullptr;
  for (const auto& [l, path] : found.files) {
    if (l != label) continue;
    if (only) return "";
    only = &path;
  }
  return only ? text_of(*only) : "";
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// From the brace at `begin` to its partner; strings are skipped.
std::string_view braced(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && (c == '{' || c == '}')) {
      depth += c == '{' ? 1 : -1;
      if (depth == 0) return text.substr(begin, i - begin + 1);
    }
  }
  return {};
}

}  // namespace

std::optional<VmemReport> read_vmem_report(std::string_view html, const std::string& instruction) {
  const std::size_t data = html.find("const DATA =");
  const std::size_t begin = data == html.npos ? html.npos : html.find('{', data);
  if (begin == html.npos) return {};
  const nlohmann::json json = nlohmann::json::parse(braced(html, begin), nullptr, false);
  if (!json.is_object()) return {};
  try {
    VmemReport report;
    report.capacity = json.at("global_info").at("vmem_capacity");
    const auto& breakdowns = json.at("hlo_breakdowns");
    const auto kernel = breakdowns.find(instruction);
    if (kernel == breakdowns.end()) return report;
    report.total = kernel->at("total_size");
    for (const auto& block : kernel->at("blocks"))
      for (const auto& a : block.at("allocations"))
        report.allocations.push_back({a.at("size"), lower(block.at("block_type"))});
    return report;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

Dumps read_dumps(const fs::path& folder, const std::string& name) {
  Dumps dumps;
  const Found found = find(folder, name);
  const auto note = [&](const std::string& what) { dumps.notes.push_back(what + " could not be read from the dumps"); };
  if (found.instruction.empty()) {
    note("bundles, slots and VMEM");
    return dumps;
  }
  int unread = 0;
  dumps.bundles = read_bundles(labelled(found, "final_bundles.txt"), &unread);
  dumps.utilisation = read_utilisation(labelled(found, "final_hlo-static-per-bundle-utilization.txt"));
  dumps.schedule = read_schedule(labelled(found, "schedule-analysis_final_bundles.txt"));
  if (!found.vmem_report.empty()) dumps.vmem = read_vmem_report(text_of(found.vmem_report), found.instruction);
  if (unread > 0) note(fmt::format("{} of the loops", unread));
  if (!dumps.utilisation) note("the use of slots");
  if (!dumps.vmem) note("VMEM by allocation");
  // Two files that count the same bundles: where they differ neither is believed.
  if (dumps.bundles && dumps.schedule && dumps.bundles->bundles != dumps.schedule->total) dumps.bundles.reset();
  if (dumps.bundles && dumps.utilisation && dumps.utilisation->bundles != dumps.bundles->bundles) {
    dumps.utilisation.reset();
    note("the use of slots");
  }
  if (!dumps.bundles) note("the bundles");
  return dumps;
}

}  // namespace millrace::target
