// SPDX-License-Identifier: Apache-2.0
#include "report/baseline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "array/sha256.h"
#include "millrace/error.h"
#include "report/place.h"

namespace millrace::report {

using Json = nlohmann::ordered_json;

namespace {

// Only the file's name: a baseline is used on many machines.
std::string name_of_module(const std::string& module) { return std::filesystem::path(module).filename().string(); }

std::string without_line(const std::string& place) {
  const std::size_t end = place.find_last_not_of("0123456789");
  return end != place.npos && place[end] == ':' ? place.substr(0, end) : place;
}

// The file's name will do here, too.
std::string place_of(const std::string& at) {
  const Location l = location_of(at, "");
  return l.file.empty() ? at : fmt::format("{}:{}", std::filesystem::path(l.file).filename().string(), l.line);
}

// Of accesses and of waits: what, and where. Not how often, and no amounts.
std::vector<std::string> places_of(const Finding& f) {
  std::vector<std::string> places;
  for (const auto* side : {&f.first, &f.second})
    if (*side) places.push_back(fmt::format("{} {}", (*side)->access, place_of((*side)->at)));
  for (const Waiter& w : f.waiters) places.push_back(fmt::format("wait on {} {}", w.semaphore, place_of(w.at)));
  if (!f.at.empty()) places.push_back(place_of(f.at));
  return places;
}

}  // namespace

Baseline::Baseline(const std::string& text, const std::string& name) {
  const auto refuse = [&](const std::string& why) { throw Error(ErrorCode::kUser, name + " is no baseline: " + why); };
  try {
    const Json json = Json::parse(text);
    if (!json.is_object() || json.value("schema", 0) != 1) refuse("it does not say \"schema\": 1");
    for (const Json& e : json.at("findings"))
      known_.push_back({e.at("module"), e.at("kernel"), e.at("id"), e.value("memory", ""), e.value("semaphore", ""),
                        e.at("places").get<std::vector<std::string>>(), e.value("message", "")});
  } catch (const nlohmann::json::exception& fault) {
    refuse(fault.what());
  }
}

Baseline::Known Baseline::entry_of(const Checked& c, const Finding& f) {
  return {name_of_module(c.module), c.kernel, f.id, f.memory, f.semaphore, places_of(f), f.message};
}

std::string Baseline::key(const Known& k, bool lines) {
  std::vector<std::string> places = k.places;
  if (!lines)
    for (std::string& place : places) place = without_line(place);
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", k.module, k.kernel, k.id, k.memory, k.semaphore,
                     fmt::join(places, "\n"));
}

bool Baseline::of(const Known& k, const Checked& c) {
  return k.module == name_of_module(c.module) && k.kernel == c.kernel;
}

void Baseline::judge(Checked& c) const {
  std::vector<const Known*> left;
  for (const Known& k : known_)
    if (of(k, c)) left.push_back(&k);
  c.states.assign(c.findings.size(), State::kNew);
  for (const bool lines : {true, false}) {
    for (std::size_t i = 0; i < c.findings.size(); ++i) {
      if (c.states[i] != State::kNew) continue;
      const std::string wanted = key(entry_of(c, c.findings[i]), lines);
      const auto found =
          std::find_if(left.begin(), left.end(), [&](const Known* k) { return key(*k, lines) == wanted; });
      if (found == left.end()) continue;
      c.states[i] = lines ? State::kUnchanged : State::kMoved;
      left.erase(found);
    }
  }
  c.gone = left.size();
}

std::string Baseline::with(const Checked& c) const {
  std::vector<Known> all;
  for (const Known& k : known_)
    if (!of(k, c)) all.push_back(k);
  for (const Finding& f : c.findings) all.push_back(entry_of(c, f));
  Json json{{"schema", 1}, {"findings", Json::array()}};
  for (const Known& k : all) {
    Json entry{{"module", k.module}, {"kernel", k.kernel}, {"id", k.id}};
    if (!k.memory.empty()) entry["memory"] = k.memory;
    if (!k.semaphore.empty()) entry["semaphore"] = k.semaphore;
    entry["places"] = k.places, entry["message"] = k.message;
    json["findings"].push_back(std::move(entry));
  }
  return json.dump(2) + "\n";
}

std::string fingerprint(const Checked& c, const Finding& f) {
  std::string text = fmt::format("{}\n{}\n{}\n{}\n{}", name_of_module(c.module), c.kernel, f.id, f.memory, f.semaphore);
  for (const std::string& place : places_of(f)) text += "\n" + without_line(place);
  return sha256_of(text);
}

}  // namespace millrace::report
