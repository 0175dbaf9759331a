// SPDX-License-Identifier: Apache-2.0
#include "view/json.h"

#include <nlohmann/json.hpp>

namespace millrace::view {

namespace {

using Json = nlohmann::ordered_json;
using timing::Index;
using timing::kNone;
using timing::Time;
using timing::Timeline;

Json ns(Time picoseconds) {
  if (picoseconds % 1000 == 0) return picoseconds / 1000;
  return static_cast<double>(picoseconds) / 1000;
}

Json or_null(Index i) { return i == kNone ? Json(nullptr) : Json(i); }

void put_block(const Timeline& t, Index block, Json& j) {
  if (block == kNone) return;
  j[t.blocks[block].elements ? "elements" : "block"] = t.blocks[block].at;
}

Json bar_json(const Timeline& t, const timing::Bar& b) {
  Json j = {{"lane", b.lane}, {"begin", ns(b.begin)}, {"end", ns(b.end)}, {"label", b.label}};
  const timing::LaneKind kind = t.lanes[b.lane].kind;
  const bool wait = kind == timing::LaneKind::kWait, dma = !wait && kind != timing::LaneKind::kCompute;
  if (dma) j["moves"] = ns(b.moves);
  put_block(t, b.block, j);
  if (b.step != kNone) j["step"] = t.steps[b.step];
  if (b.at < t.places.size() && !t.places[b.at].at.empty()) j["at"] = t.places[b.at].at;
  if (dma) j["bytes"] = b.bytes;
  if (!b.lives.empty()) j["lives"] = b.lives;
  if (wait && b.count == 1) {
    j["semaphore"] = b.semaphore, j["amount"] = b.amount;
    j["proves"] = b.proves, j["leaves_open"] = b.leaves_open;
  }
  if (b.never) j["never"] = true, j["has"] = b.has;
  if (b.critical) j["critical"] = true;
  if (b.count > 1) j["count"] = b.count, j["busy"] = ns(b.busy);
  return j;
}

Json life_json(const Timeline& t, const timing::Tenancy& l) {
  Json j = {{"slot", slot_of(t, l)},
            {"buffer", l.row},
            {"version", l.version},
            {"begin", ns(l.begin)},
            {"filled", ns(l.filled)},
            {"last_use", ns(l.last_use)},
            {"reusable", l.reusable < 0 ? Json(nullptr) : ns(l.reusable)}};
  put_block(t, l.block, j);
  j["opened_by"] = or_null(l.opened_by), j["last_by"] = or_null(l.last_by);
  if (l.count > 1) j["count"] = l.count;
  return j;
}

Json steady_json(const timing::Steady& s) {
  if (s.steps.empty()) return nullptr;
  Json j = {{"steps", s.steps},
            {"count", s.count},
            {"middle", s.middle},
            {"from", ns(s.from)},
            {"to", ns(s.to)},
            {"simulated", ns(s.simulated)},
            {"theory", ns(s.theory)},
            {"difference", ns(s.simulated - s.theory)},
            {"bounded_by", s.bounded_by},
            {"terms", Json::array()}};
  for (const timing::Term& term : s.terms) j["terms"].push_back({{"what", term.what}, {"time", ns(term.time)}});
  return j;
}

Json summary_json(const Timeline& t) {
  Json path = Json::array();
  for (const timing::PathPart& p : t.path)
    path.push_back({{"what", p.what}, {"lane", or_null(p.lane)}, {"time", ns(p.time)}});
  return {{"bounded_by", t.bounded_by},   {"critical_path", path},          {"moving", ns(t.moving)},
          {"computing", ns(t.computing)}, {"waiting", ns(t.waiting)},       {"overlapped", ns(t.overlapped)},
          {"overlap", t.overlap},         {"steady", steady_json(t.steady)}};
}

Json fault_json(const timing::Fault& f) {
  Json j = {{"id", f.id},   {"message", f.message},     {"memory", f.memory},
            {"box", f.box}, {"schedules", f.schedules}, {"severity", f.error ? "error" : "warning"}};
  j["moments"] = Json::array();
  for (const timing::Moment& m : f.moments)
    j["moments"].push_back(
        {{"what", m.what}, {"at", m.at}, {"bar", or_null(m.bar)}, {"begin", ns(m.begin)}, {"end", ns(m.end)}});
  return j;
}

Json counter_json(const timing::Counter& c) {
  Json points = Json::array();
  for (const auto& p : c.points) points.push_back(Json::array({ns(p.at), p.value}));
  return {{"name", c.name}, {"unit", c.unit}, {"device", c.device},
          {"core", c.core}, {"most", c.most}, {"points", std::move(points)}};
}

template <class List, class One>
Json list(const List& items, const One& one) {
  Json j = Json::array();
  for (const auto& item : items) j.push_back(one(item));
  return j;
}

}  // namespace

Json to_json(const Timeline& t) {
  Json j = {{"schema", 1}, {"kind", "timeline"}, {"title", t.title}, {"execution", t.execution}};
  j["device"] = t.device.empty() ? Json(nullptr) : Json(t.device);
  j["chip"] = t.chip, j["schedule"] = t.schedule, j["end"] = ns(t.end);
  j["parameters"] = list(t.parameters, [](const timing::Parameter& p) {
    return Json{{"name", p.name}, {"value", p.value}, {"unit", p.unit}, {"source", p.source}, {"note", p.note}};
  });
  j["summary"] = summary_json(t);
  j["lanes"] = list(t.lanes, [&](const timing::Lane& l) {
    return Json{{"name", name_of(t, l)},
                {"kind", name_of(l.kind)},
                {"device", l.device},
                {"core", l.core},
                {"operand", l.operand}};
  });
  j["buffers"] = list(t.rows, [](const timing::Row& r) {
    return Json{{"letter", r.letter}, {"name", r.name}, {"operand", r.operand},
                {"device", r.device}, {"core", r.core}, {"slots", r.slots}};
  });
  j["bars"] = list(t.bars, [&](const timing::Bar& b) { return bar_json(t, b); });
  j["lives"] = list(t.tenancies, [&](const timing::Tenancy& l) { return life_json(t, l); });
  j["arrows"] = list(t.arrows, [](const timing::Arrow& a) { return Json{{"copy", a.copy}, {"wait", a.wait}}; });
  j["counters"] = list(t.counters, counter_json);
  j["faults"] = list(t.faults, fault_json);
  j["cut"] = t.cut;
  j["coarse"] = nullptr;
  if (t.coarse.is) j["coarse"] = {{"bars", t.coarse.bars}, {"bucket", ns(t.coarse.bucket)}};
  return j;
}

}  // namespace millrace::view
