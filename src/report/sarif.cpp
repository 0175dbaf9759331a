// SPDX-License-Identifier: Apache-2.0
#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check/catalogue.h"
#include "report/baseline.h"
#include "report/json.h"

namespace millrace::report {

using Json = nlohmann::ordered_json;

namespace {

std::string without_point(std::string_view id) {  // "race.read-write": "RaceReadWrite"
  std::string name;
  bool upper = true;
  for (char c : id) {
    if (c >= 'a' && c <= 'z') {
      name += upper ? static_cast<char>(c - 'a' + 'A') : c;
      upper = false;
    } else {
      upper = true;
    }
  }
  return name;
}

Json rule_of(const std::string& id, const checkers::Rule& rule) {
  const std::string meaning(rule.meaning), mend(rule.mend);
  Json json{{"id", id}, {"name", without_point(id)}};
  json["shortDescription"] = {{"text", std::string(rule.title)}};
  json["fullDescription"] = {{"text", meaning}};
  json["help"] = {{"text", fmt::format("{}\nUsual mend: {}.\nmillrace explain {}", meaning, mend, id)},
                  {"markdown", fmt::format("{}\n\n**Usual mend:** {}.\n\n`millrace explain {}`", meaning, mend, id)}};
  json["defaultConfiguration"] = {{"level", name_of(rule.severity)}};
  json["properties"] = {{"clause", std::string(rule.clause)}, {"tags", {"correctness"}}};
  return json;
}

// All rules of the table, and the members of its families that were found.
std::vector<std::pair<std::string, const checkers::Rule*>> rules_for(const Checked& c) {
  std::vector<std::pair<std::string, const checkers::Rule*>> list;
  for (const checkers::Rule& r : checkers::rules())
    if (!r.id.ends_with(".*")) list.emplace_back(r.id, &r);
  for (const Finding& f : c.findings) {
    const auto known = std::ranges::find(list, f.id, [](const auto& entry) { return entry.first; });
    if (const checkers::Rule* rule = checkers::find_rule(f.id); rule && known == list.end())
      list.emplace_back(f.id, rule);
  }
  return list;
}

// Where the module names no file, the module itself is the file: a result needs one to be shown at.
Json location_of(const Spot* spot, const Checked& c, const Naming& naming) {
  Json json = Json::object();
  const bool line = spot && spot->location.line > 0;
  Json& physical = json["physicalLocation"];
  physical["artifactLocation"] = {{"uri", uri_of(line ? naming.source(spot->location.file) : naming.file(c.module))}};
  if (line) physical["region"] = {{"startLine", spot->location.line}};
  if (spot && !spot->location.scope.empty())
    json["logicalLocations"] = {{{"name", spot->location.scope}, {"kind", "function"}}};
  return json;
}

Json result_of(const Checked& c, const Finding& f, const Naming& naming) {
  Json json{{"ruleId", f.id}};
  json["level"] = name_of(f.severity);
  json["message"] = {{"text", f.hint.empty() ? f.message : fmt::format("{}. Usual mend: {}.", f.message, f.hint)}};
  const std::vector<Spot> spots = spots_of(f);
  json["locations"] = {location_of(spots.empty() ? nullptr : &spots[0], c, naming)};
  for (std::size_t i = 1; i < spots.size(); ++i) {
    Json related = location_of(&spots[i], c, naming);
    related["id"] = i;
    related["message"] = {{"text", spots[i].what}};
    json["relatedLocations"].push_back(std::move(related));
  }
  json["properties"] = to_json(f);
  for (const char* said : {"id", "severity", "message", "hint"}) json["properties"].erase(said);
  return json;
}

}  // namespace

std::string uri_of(const std::string& file) {
  static constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (unsigned char c : file) {
    if (kPlain.find(static_cast<char>(c)) != kPlain.npos)
      uri += static_cast<char>(c);
    else
      uri += fmt::format("%{:02X}", c);
  }
  return uri;
}

Json to_sarif(const Checked& c, const std::string& version, const Naming& naming) {
  Json rules = Json::array(), results = Json::array();
  std::map<std::string, std::size_t> index, seen;
  for (const auto& [id, rule] : rules_for(c)) {
    index[id] = rules.size();
    rules.push_back(rule_of(id, *rule));
  }
  for (std::size_t i = 0; i < c.findings.size(); ++i) {
    Json result = result_of(c, c.findings[i], naming);
    if (const auto rule = index.find(c.findings[i].id); rule != index.end()) result["ruleIndex"] = rule->second;
    const std::string print = fingerprint(c, c.findings[i]);
    result["partialFingerprints"] = {{"millraceFinding/v1", fmt::format("{}:{}", print, ++seen[print])}};
    if (!c.states.empty()) result["baselineState"] = c.states[i] == State::kMoved ? "updated" : name_of(c.states[i]);
    results.push_back(std::move(result));
  }
  Json run = Json::object();
  run["tool"]["driver"] = {{"name", "Millrace"}, {"version", version}, {"rules", rules}};
  run["automationDetails"] = {{"id", fmt::format("millrace/{}/", c.kernel)}};
  run["invocations"] = {{{"executionSuccessful", true}}};
  run["columnKind"] = "utf16CodeUnits";
  run["results"] = std::move(results);
  Json sarif = Json::object();
  sarif["$schema"] = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
  sarif["version"] = "2.1.0";
  sarif["runs"] = Json::array({std::move(run)});
  return sarif;
}

}  // namespace millrace::report
