// SPDX-License-Identifier: Apache-2.0
#include "bench/door.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "bench/peer.h"

namespace millrace::bench {

namespace {

using nlohmann::json;

std::vector<double> milliseconds_of(const json& list) {
  auto values = list.get<std::vector<double>>();
  for (const double ms : values)
    if (!(ms > 0 && ms < 1e12)) throw Error(ErrorCode::kUser, fmt::format("{} ms is no time", ms));
  if (values.empty()) throw Error(ErrorCode::kUser, "there are no times");
  return values;
}

Pairing pairing_of(const json& row) {
  Pairing p;
  p.candidate = row.at("candidate").get<std::string>(), p.baseline = row.at("baseline").get<std::string>();
  p.unit = row.at("unit").get<std::string>();
  p.candidate_work = p.baseline_work = row.at("work").get<double>();
  p.warm_ups = row.at("warm_ups").get<int>();
  p.aim = row.at("aim").get<double>();
  p.speedup = true;
  const std::vector<double> door = milliseconds_of(row.at("candidate_ms")),
                            other = milliseconds_of(row.at("baseline_ms"));
  if (door.size() != other.size()) throw Error(ErrorCode::kUser, "the two sides were not measured in pairs");
  std::vector<double> ratios;
  for (std::size_t i = 0; i < door.size(); ++i) ratios.push_back(door[i] / other[i]);
  p.pairs = static_cast<int>(door.size());
  p.candidate_ms = spread_of(door), p.baseline_ms = spread_of(other), p.ratio = spread_of(ratios);
  return p;
}

}  // namespace

std::vector<Pairing> of_door(const std::string& command, const std::function<void(const std::string&)>& progress) {
  Peer peer(command);
  std::istringstream names(peer.ask("rows"));
  std::vector<Pairing> all;
  for (std::string name; names >> name;) {
    progress(fmt::format("{}: {}", peer.who(), name));
    const std::string said = peer.ask("measure " + name);
    try {
      all.push_back(pairing_of(json::parse(said)));
    } catch (const std::exception& error) {
      throw Error(ErrorCode::kUser, fmt::format("the door says `{}` of row {}: {}", said, name, error.what()));
    }
    all.back().name = "door/" + name;
  }
  return all;
}

}  // namespace millrace::bench
