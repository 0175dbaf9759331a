// SPDX-License-Identifier: Apache-2.0
#include "front/compile_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "array/sha256.h"

namespace millrace::front {

namespace {

using Json = nlohmann::ordered_json;
using target::Compiled;
using target::Verdict;

constexpr const char* kBoundary =
    "Compiled for a chip, run on none: counts of a static schedule, without DMA stalls and whatever else happens at "
    "run time. Bundles are no time.";

std::string place_text(const SourcePlace& place) {
  if (place.file.empty()) return "";
  return place.column > 0 ? fmt::format("{}:{}:{}", place.file, place.line, place.column)
                          : fmt::format("{}:{}", place.file, place.line);
}

const target::BundleLoop* step_of(const Compiled& c) {
  return c.dumps.bundles ? target::main_loop(*c.dumps.bundles) : nullptr;
}

std::string trips_text(const target::BundleLoop& loop) {
  return loop.trips ? fmt::format("{}", *loop.trips) : std::string("unknown");
}

std::string bundles_text(const Compiled& c) {
  if (!c.dumps.bundles) return "";
  std::string text = fmt::format("  {} bundles", c.dumps.bundles->bundles);
  if (c.dumps.schedule) text += fmt::format(", {} of them empty", c.dumps.schedule->empty);
  if (const auto* step = step_of(c))
    text += fmt::format("; a step of its main loop takes {}, {} passes", step->bundles, trips_text(*step));
  return text + "\n";
}

std::string slots_text(const Compiled& c) {
  if (!c.dumps.utilisation) return "";
  std::vector<std::string> used;
  for (const auto& s : c.dumps.utilisation->slots) {
    const double all = static_cast<double>(s.capacity * c.dumps.utilisation->bundles);
    if (s.used > 0 && all > 0)
      used.push_back(fmt::format("{} {} ({:.1f} %)", s.slot, s.used, 100 * static_cast<double>(s.used) / all));
  }
  return fmt::format("  slots used: {}\n", used.empty() ? "none" : fmt::format("{}", fmt::join(used, ", ")));
}

std::string vmem_text(const CompiledKernel& k) {
  const std::string modeled = fmt::format("modeled {}, limit {}", k.modeled.vmem, k.vmem_limit);
  const auto& vmem = k.compiled.dumps.vmem;
  if (!vmem) return fmt::format("  VMEM: {}\n", modeled);
  std::vector<std::string> parts;
  for (const auto& a : vmem->allocations) parts.push_back(fmt::format("{} {}", a.bytes, a.kind));
  return fmt::format("  VMEM: {} bytes{}; {}\n", vmem->total,
                     parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", ")), modeled);
}

std::string rules_text(const CompiledKernel& k) {
  if (!k.rules_apply) return "";
  const auto agrees = k.agrees();
  std::string text = k.rules.empty() ? "  rules of this chip: nothing broken" : "  rules of this chip, broken:";
  text += agrees && !*agrees ? " -- the compiler differs\n" : "\n";
  for (const Finding& f : k.rules) text += fmt::format("    {}: {}\n", f.id, f.message);
  return text;
}

std::string one(const CompiledKernel& k) {
  const Compiled& c = k.compiled;
  std::string text = fmt::format("{} ({}): {}", k.chip.name, k.chip.kind, target::name_of(c.verdict));
  if (c.verdict == Verdict::kAccepted) {
    text += c.code_bytes ? fmt::format(", {} bytes of code\n", *c.code_bytes) : std::string("\n");
    text += bundles_text(c) + slots_text(c) + vmem_text(k);
  } else {
    text += fmt::format(": {}\n", c.diagnosis.reason);
    if (const std::string place = place_text(c.diagnosis.place); !place.empty())
      text += fmt::format("  --> {}\n", place);
    if (!c.diagnosis.operation.empty()) text += fmt::format("  {}\n", c.diagnosis.operation);
  }
  text += rules_text(k);
  for (const std::string& note : c.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

std::string number_or_dash(const std::optional<std::int64_t>& n) { return n ? std::to_string(*n) : std::string("-"); }

std::string table(const std::vector<CompiledKernel>& chips) {
  std::string text = fmt::format("{:<7}{:<10}{:>9}{:>9}{:>9}{:>8}{:>11}{:>11}  {}\n", "chip", "verdict", "code",
                                 "bundles", "a step", "passes", "VMEM", "modeled", "rules");
  for (const CompiledKernel& k : chips) {
    const Compiled& c = k.compiled;
    const auto* step = step_of(c);
    std::optional<std::int64_t> bundles, vmem;
    if (c.dumps.bundles) bundles = c.dumps.bundles->bundles;
    if (c.dumps.vmem) vmem = c.dumps.vmem->total;
    const auto agrees = k.agrees();
    text += fmt::format("{:<7}{:<10}{:>9}{:>9}{:>9}{:>8}{:>11}{:>11}  {}\n", k.chip.name, target::name_of(c.verdict),
                        number_or_dash(c.code_bytes), number_or_dash(bundles),
                        number_or_dash(step ? std::optional(step->bundles) : std::nullopt),
                        step ? trips_text(*step) : "-", number_or_dash(vmem), k.modeled.vmem,
                        !agrees   ? "-"
                        : *agrees ? "agree"
                                  : "differ");
  }
  for (const CompiledKernel& k : chips)
    if (k.compiled.verdict != Verdict::kAccepted)
      text += fmt::format("{}: {}\n", k.chip.name, k.compiled.diagnosis.reason);
  return text;
}

Json loops_json(const target::BundleListing& listing) {
  Json list = Json::array();
  for (const auto& l : listing.loops) {
    list.push_back({{"first", l.first}, {"bundles", l.bundles}, {"depth", l.depth}, {"trips", nullptr}});
    if (l.trips) list.back()["trips"] = *l.trips;
  }
  return list;
}

void add_figures(const Compiled& c, Json& json) {
  for (const char* name : {"code_bytes", "bundles", "empty_bundles", "step", "loops", "slots"}) json[name] = nullptr;
  if (c.code_bytes) json["code_bytes"] = *c.code_bytes;
  if (c.dumps.schedule) json["empty_bundles"] = c.dumps.schedule->empty;
  if (c.dumps.bundles) {
    json["bundles"] = c.dumps.bundles->bundles;
    json["loops"] = loops_json(*c.dumps.bundles);
    if (const auto* step = step_of(c))
      json["step"] = {{"bundles", step->bundles}, {"trips", step->trips ? Json(*step->trips) : Json()}};
  }
  if (!c.dumps.utilisation) return;
  json["slots"] = Json::array();
  for (const auto& s : c.dumps.utilisation->slots)
    json["slots"].push_back({{"slot", s.slot}, {"capacity_per_bundle", s.capacity}, {"used", s.used}});
}

Json json_of(const CompiledKernel& k) {
  const Compiled& c = k.compiled;
  Json json{{"compiled_for", k.chip.name}, {"kind", k.chip.kind},
            {"topology", c.topology},      {"verdict", target::name_of(c.verdict)},
            {"reason", nullptr},           {"error", nullptr},
            {"status", nullptr},           {"place", nullptr},
            {"operation", nullptr}};
  if (c.verdict != Verdict::kAccepted) json["reason"] = c.diagnosis.reason;
  if (c.verdict == Verdict::kRefused) json["status"] = target::status_name(c.status);
  if (!c.diagnosis.error.empty()) json["error"] = c.diagnosis.error;
  if (!c.diagnosis.operation.empty()) json["operation"] = c.diagnosis.operation;
  if (const SourcePlace& p = c.diagnosis.place; !p.file.empty())
    json["place"] = {{"file", p.file}, {"line", p.line}, {"column", p.column}};
  add_figures(c, json);
  json["vmem"] = {{"compiled_bytes", nullptr},
                  {"allocations", nullptr},
                  {"capacity", nullptr},
                  {"modeled_bytes", k.modeled.vmem},
                  {"limit", k.vmem_limit}};
  if (c.dumps.vmem) {
    json["vmem"]["compiled_bytes"] = c.dumps.vmem->total;
    json["vmem"]["capacity"] = c.dumps.vmem->capacity;
    json["vmem"]["allocations"] = Json::array();
    for (const auto& a : c.dumps.vmem->allocations)
      json["vmem"]["allocations"].push_back({{"bytes", a.bytes}, {"kind", a.kind}});
  }
  Json findings = Json::array();
  for (const Finding& f : k.rules) findings.push_back({{"id", f.id}, {"memory", f.memory}, {"message", f.message}});
  const auto agrees = k.agrees();
  json["rules"] = {{"apply", k.rules_apply}, {"findings", findings}, {"agrees", agrees ? Json(*agrees) : Json()}};
  json["notes"] = c.notes;
  json["seconds"] = {{"all", c.seconds},
                     {"load", c.load_seconds},
                     {"initialise", c.initialise_seconds},
                     {"compile", c.compile_seconds}};
  return json;
}

std::string compiler_name(const CompileReport& report) {
  return report.library.version.empty() ? "libtpu (version unknown)" : "libtpu " + report.library.version;
}

}  // namespace

std::string to_text(const CompileReport& report) {
  std::string text = fmt::format("{} of {}, compiled by {}; nothing was run\n", report.kernel.kernel,
                                 report.kernel.module, compiler_name(report));
  if (!report.library.version.empty() && report.library.version != target::kPinnedLibtpu)
    text += fmt::format("note: what is read from dumps was seen with libtpu {}\n", target::kPinnedLibtpu);
  if (report.chips.size() > 1) return text + table(report.chips) + kBoundary + "\n";
  for (const CompiledKernel& k : report.chips) text += one(k);
  return text + kBoundary + "\n";
}

Json to_json(const CompileReport& report) {
  Json chips = Json::array();
  std::int32_t api = 0;
  for (const CompiledKernel& k : report.chips) chips.push_back(json_of(k)), api = std::max(api, k.compiled.api_minor);
  Json operands = Json::array(), results = Json::array();
  for (const auto& t : report.kernel.call.operands)
    operands.push_back({{"element", target::tensor_element(t.element)}, {"shape", t.shape}});
  for (const auto& t : report.kernel.call.results)
    results.push_back({{"element", target::tensor_element(t.element)}, {"shape", t.shape}});
  return {{"schema", 1},
          {"execution", "compiled"},
          {"device", nullptr},
          {"implementation_sha256", sha256_of(report.kernel.call.body)},
          {"versions",
           {{"millrace", report.millrace_version},
            {"libtpu", report.library.version.empty() ? Json() : Json(report.library.version)},
            {"pjrt", fmt::format("0.{}", api)}}},
          {"configuration",
           {{"module", report.kernel.module},
            {"kernel", report.kernel.kernel},
            {"operands", operands},
            {"results", results}}},
          {"correctness", nullptr},
          {"measurement", nullptr},
          {"chips", chips},
          {"boundary", kBoundary}};
}

Json panel_json(const CompileReport& report) {
  Json chips = Json::array();
  for (const CompiledKernel& k : report.chips) {
    const Compiled& c = k.compiled;
    const auto* step = step_of(c);
    chips.push_back({{"compiled_for", k.chip.name},
                     {"verdict", target::name_of(c.verdict)},
                     {"reason", c.diagnosis.reason.empty() ? Json() : Json(c.diagnosis.reason)},
                     {"step_bundles", step ? Json(step->bundles) : Json()},
                     {"trips", step && step->trips ? Json(*step->trips) : Json()},
                     {"vmem", c.dumps.vmem ? Json(c.dumps.vmem->total) : Json()},
                     {"modeled_vmem", k.modeled.vmem}});
  }
  return {{"execution", "compiled"},
          {"device", nullptr},
          {"libtpu", report.library.version.empty() ? Json() : Json(report.library.version)},
          {"of", "this kernel"},
          {"tiles", Json::array({{{"name", report.kernel.kernel}, {"chips", chips}}})},
          {"boundary", kBoundary}};
}

}  // namespace millrace::front
