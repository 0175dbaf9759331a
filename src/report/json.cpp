// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include "millrace/dtype.h"

namespace millrace::report {

using Json = nlohmann::ordered_json;

namespace {

Json json_of(const std::vector<Range>& box) {
  Json json = Json::array();
  for (const Range& r : box) {
    json.push_back({r.begin, r.end});
    if (r.stride != 1) json.back().push_back(r.stride);
  }
  return json;
}

Json json_of(const Side& s) {
  Json json{{"access", s.access}};
  if (!s.at.empty() || s.grid_step.empty()) json["at"] = s.at, json["nth"] = s.nth;
  json["core"] = s.core;
  if (s.device != 0) json["device"] = s.device;
  if (!s.grid_step.empty()) json["grid_step"] = s.grid_step;
  json["where"] = s.where;
  return json;
}

Json json_of(const Waiter& w) {
  Json json{{"semaphore", w.semaphore}, {"at", w.at}, {"nth", w.nth}, {"has", w.has}, {"needs", w.needs}};
  json["core"] = w.core;
  if (w.device != 0) json["device"] = w.device;
  return json;
}

template <class T>
void put(Json& json, const char* name, const T& value) {
  if (!value.empty()) json[name] = value;
}

void put_details(Json& json, const Finding& f) {
  put(json, "semaphore", f.semaphore);
  if (f.bytes) json["bytes"] = *f.bytes;
  if (f.count) json["count"] = *f.count;
  put(json, "at", f.at);
  put(json, "extent", f.extent);
  put(json, "block", f.block);
  put(json, "blocks", f.blocks);
  put(json, "grid_step", f.grid_step);
  for (const auto& box : f.boxes) json["boxes"].push_back(json_of(box));
  put(json, "output", f.output);
  put(json, "written_in", f.written_in);
  put(json, "left_after", f.left_after);
}

Json json_of(const Replay& r) {
  Json json{{"shows", r.shows}};
  (r.file.empty() ? json["schedule"] : json["file"]) = r.file.empty() ? r.schedule : r.file;
  return json;
}

Json json_of(const Schedules& s) {
  Json json{{"classes", s.classes}, {"explored", s.explored}, {"complete", s.complete}, {"for", s.of}};
  json["control_depends_on"] = s.control_depends_on;
  put(json, "open", s.open);
  return json;
}

Json json_of(const std::vector<checkers::WaitedDmas>& list) {
  Json json = Json::array();
  for (const checkers::WaitedDmas& d : list)
    json.push_back({{"at", d.at},
                    {"where", d.where},
                    {"dmas", d.dmas},
                    {"waits", d.waits},
                    {"first_wait", d.first_wait},
                    {"first_dma", d.first_dma}});
  return json;
}

Json json_of(const std::vector<Output>& outputs) {
  Json json = Json::array();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    json.push_back({{"index", i}, {"dtype", millrace::name_of(outputs[i].dtype)}, {"shape", outputs[i].shape}});
    put(json.back(), "sha256", outputs[i].sha256);
  }
  return json;
}

}  // namespace

std::string name_of(Severity severity) { return severity == Severity::kError ? "error" : "warning"; }
std::string name_of(Verdict verdict) { return verdict == Verdict::kClean ? "clean" : "faulty"; }
std::string name_of(State state) {
  return state == State::kNew ? "new" : state == State::kMoved ? "updated" : "unchanged";
}

Json to_json(const Finding& f) {
  Json json{
      {"id", f.id}, {"severity", name_of(f.severity)}, {"message", f.message}, {"hint", f.hint}, {"clause", f.clause}};
  put(json, "memory", f.memory);
  put(json, "same_memory", f.same_memory);
  if (f.first) json["first"] = json_of(*f.first);
  if (f.second) json["second"] = json_of(*f.second);
  if (!f.box.empty()) json["box"] = json_of(f.box);
  for (const Waiter& w : f.waiters) json["waiters"].push_back(json_of(w));
  put(json, "schedules", f.schedules);
  put_details(json, f);
  return json;
}

Json to_json(const checkers::WaitSite& w) {
  Json json{{"at", w.at}, {"where", w.where}, {"semaphore", w.semaphore}, {"unit", w.bytes ? "bytes" : "count"}};
  json["waits"] = w.waits, json["least"] = w.least, json["most"] = w.most;
  json["proved_none"] = w.proved_none;
  if (w.proved_none > 0) json["first_without_proof"] = w.first_without_proof;
  json["proved"] = json_of(w.proved), json["open"] = json_of(w.open);
  return json;
}

Json to_json(const Checked& c) {
  Json json{{"schema", 1}, {"module", c.module}, {"kernel", c.kernel}, {"verdict", name_of(c.verdict)}};
  json["findings"] = Json::array();
  for (std::size_t i = 0; i < c.findings.size(); ++i) {
    json["findings"].push_back(to_json(c.findings[i]));
    for (const Replay& r : c.replays_of(i)) json["findings"].back()["replay"].push_back(json_of(r));
    if (!c.states.empty()) json["findings"].back()["baseline"] = name_of(c.states[i]);
  }
  if (!c.states.empty()) json["gone"] = c.gone;
  json["schedules"] = json_of(c.schedules);
  json["outputs"] = json_of(c.outputs);
  json["work"] = {
      {"steps", c.work.steps}, {"dmas", c.work.dmas}, {"bytes", c.work.dma_bytes}, {"accesses", c.accesses}};
  json["seconds"] = {{"load", c.load_seconds}, {"run", c.run_seconds}};
  if (!c.why_wait) return json;
  json["waits"] = Json::array();
  for (const checkers::WaitSite& w : c.waits) json["waits"].push_back(to_json(w));
  return json;
}

}  // namespace millrace::report
