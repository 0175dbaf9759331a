// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "front/inspect.h"

namespace millrace::front {

namespace {

using Json = nlohmann::ordered_json;

std::string bound_text(std::int64_t bound) { return bound == mosaic::kDynamic ? "?" : std::to_string(bound); }

std::string grid_text(const Inspection& i) {
  if (i.grid.empty()) return "none (runs once)";
  std::vector<std::string> bounds;
  for (std::int64_t bound : i.grid) bounds.push_back(bound_text(bound));
  std::string text = fmt::format("({})", fmt::join(bounds, ", "));
  if (!i.semantics.empty()) text += fmt::format(", {}", fmt::join(i.semantics, ", "));
  return text;
}

std::string operand_text(const InspectedOperand& o) {
  std::string text = fmt::format("  {:6} {}", o.name, o.type);
  if (o.prefetch) text += ", scalar prefetch";
  if (o.windowed)
    text += fmt::format(", window {} by {}{}, {} slot{}", to_string(o.block), o.map,
                        o.element_window ? " (counts elements)" : "", o.slots, o.slots == 1 ? "" : "s");
  else if (o.slots > 0)
    text += ", staged as a whole";
  if (o.windowed && o.smallest_array) text += fmt::format(", of an array {} or less", to_string(*o.smallest_array));
  return text + "\n";
}

std::string memory_text(const InspectedMemory& m, bool bytes) {
  std::string text = fmt::format("  {:12} {}", m.name, m.type);
  if (bytes) text += m.bytes < 0 ? ", bytes not known before the run" : fmt::format(", {} bytes", m.bytes);
  if (!m.place.empty()) text += ", " + m.place;
  return text + "\n";
}

}  // namespace

std::string to_text(const Inspection& i) {
  std::string text = fmt::format("{}: kernel {}\n", i.module, i.kernel);
  text += fmt::format("form: {}, {} names", i.form, i.names);
  if (i.names == "stable") text += fmt::format(", serde version {}", i.serde_version);
  text += fmt::format("\ngrid: {}\noperands:\n", grid_text(i));
  for (const InspectedOperand& o : i.operands) text += operand_text(o);
  std::int64_t sum = 0;
  for (const InspectedMemory& m : i.memories) sum += std::max<std::int64_t>(m.bytes, 0);
  text += fmt::format("memories: {} bytes\n", sum);
  for (const InspectedMemory& m : i.memories) text += memory_text(m, true);
  text += fmt::format("semaphores: {}\n", i.semaphores.size());
  for (const InspectedMemory& m : i.semaphores) text += memory_text(m, false);
  text += fmt::format("DMAs: {} operations\n", i.dmas.size());
  for (const InspectedSite& s : i.dmas) text += fmt::format("  {:18} {}\n", s.operation, s.place);
  text += fmt::format("operations: {}\n", i.kernel_operations);
  for (const auto& [name, count] : i.operations)
    text += fmt::format("  {:6} {}{}\n", count, name,
                        std::count(i.unsupported.begin(), i.unsupported.end(), name) ? "  (not supported)" : "");
  return text;
}

Json to_json(const Inspection& i) {
  Json json{{"schema", 1}, {"module", i.module}, {"kernel", i.kernel}, {"form", i.form}, {"names", i.names}};
  json["serde_version"] = i.names == "stable" ? Json(i.serde_version) : Json();
  json["grid"] = Json::array();
  for (std::int64_t bound : i.grid) json["grid"].push_back(bound == mosaic::kDynamic ? Json() : Json(bound));
  json["dimension_semantics"] = i.semantics;
  json["operands"] = Json::array();
  for (const InspectedOperand& o : i.operands) {
    Json operand{{"name", o.name}, {"type", o.type}, {"prefetch", o.prefetch}};
    operand["window"] = nullptr;
    if (o.windowed)
      operand["window"] = {{"block", o.block}, {"map", o.map}, {"slots", o.slots}, {"elements", o.element_window}};
    operand["smallest_array"] = o.smallest_array ? Json(*o.smallest_array) : Json();
    json["operands"].push_back(std::move(operand));
  }
  for (const auto& [key, memories] : {std::pair("memories", &i.memories), std::pair("semaphores", &i.semaphores)}) {
    json[key] = Json::array();
    for (const InspectedMemory& m : *memories)
      json[key].push_back(
          {{"name", m.name}, {"type", m.type}, {"place", m.place}, {"bytes", m.bytes < 0 ? Json() : Json(m.bytes)}});
  }
  json["dmas"] = Json::array();
  for (const InspectedSite& s : i.dmas) json["dmas"].push_back({{"operation", s.operation}, {"place", s.place}});
  json["operations"] = i.operations;
  json["unsupported"] = i.unsupported;
  return json;
}

}  // namespace millrace::front
