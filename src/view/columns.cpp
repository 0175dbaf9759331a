// SPDX-License-Identifier: Apache-2.0
#include "view/columns.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "view/stack.h"

namespace millrace::view {

namespace {

using Json = nlohmann::ordered_json;
using timing::Bar;
using timing::Index;
using timing::kNone;
using timing::Tenancy;
using timing::Time;
using timing::Timeline;

using Column = std::vector<std::int64_t>;

std::int64_t or_none(Index i) { return i == kNone ? -1 : static_cast<std::int64_t>(i); }

Json told(const Column& c) {
  if (!c.empty() && std::adjacent_find(c.begin(), c.end(), std::not_equal_to<>()) == c.end()) return c.front();
  return c;
}

// Columns by name, in the order in which they are first spoken of.
class Table {
 public:
  void add(const std::string& name, std::int64_t value) { column(name).push_back(value); }

  template <class List>
  void add_list(const std::string& name, const List& list) {
    add(name + "_of", static_cast<std::int64_t>(list.size()));
    Column& all = column(name);
    std::int64_t& last = last_[name];
    for (const auto value : list) {
      all.push_back(static_cast<std::int64_t>(value) - last);
      last = static_cast<std::int64_t>(value);
    }
  }

  Json json() const {
    Json j = Json::object();
    for (const std::string& name : order_) j[name] = told(columns_.at(name));
    return j;
  }

 private:
  Column& column(const std::string& name) {
    const auto [at, fresh] = columns_.try_emplace(name);
    if (fresh) order_.push_back(name);
    return at->second;
  }

  std::map<std::string, Column> columns_;
  std::map<std::string, std::int64_t> last_;
  std::vector<std::string> order_;
};

class Texts {
 public:
  std::int64_t number(const std::string& text) {
    if (text.empty()) return -1;
    const auto [at, fresh] = numbers_.try_emplace(text, static_cast<std::int64_t>(all_.size()));
    if (fresh) all_.push_back(text);
    return at->second;
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  std::map<std::string, std::int64_t> numbers_;
  std::vector<std::string> all_;
};

void add_bar(const Timeline& t, const Bar& b, Texts& texts, Table& table) {
  table.add("lasts", b.end - b.begin);
  table.add("moves", std::max(b.moves, b.begin) - b.begin);
  table.add("label", texts.number(b.label));
  table.add("block", texts.number(block_text(t, b.block)));
  table.add("step", texts.number(step_text(t, b.step)));
  table.add("at", b.count == 1 && b.at < t.places.size() ? texts.number(t.places[b.at].where) : -1);
  table.add("bytes", b.bytes);
  table.add_list("lives", b.lives);
  table.add_list("proves", b.proves);
  table.add("open", b.leaves_open);
  table.add("semaphore", texts.number(b.semaphore));
  table.add("amount", b.amount);
  table.add("has", b.has);
  table.add("flags", (b.never ? 1 : 0) + (b.critical ? 2 : 0));
  table.add("joined", static_cast<std::int64_t>(b.count));
  table.add("busy", b.count > 1 ? b.busy : 0);
}

Json bars_json(const Timeline& t, Texts& texts) {
  const Stacked lines = stacked(t);
  Table table;
  Column of_lane(t.lanes.size(), 0);
  for (Index i = 0; i < t.bars.size(); ++i) {
    const Bar& b = t.bars[i];
    ++of_lane[b.lane];
    table.add("line", lines.line[i]);
    table.add("begin", b.begin - (i > 0 && t.bars[i - 1].lane == b.lane ? t.bars[i - 1].begin : 0));
    add_bar(t, b, texts, table);
  }
  Json j = {{"of_lane", of_lane}};
  j.update(table.json());
  return j;
}

Json contents_json(const Timeline& t, Texts& texts) {
  Table table;
  const StackedSlots lines = stacked_slots(t);
  const Tenancy* before = nullptr;
  for (const Tenancy& l : t.tenancies) {
    table.add("line", lines.line[static_cast<std::size_t>(&l - t.tenancies.data())]);
    const bool same = before && before->row == l.row && before->slot == l.slot;
    table.add("buffer", l.row);
    table.add("slot", l.slot);
    table.add("version", l.version);
    table.add("begin", l.begin - (same ? before->begin : 0));
    table.add("filled", l.filled - l.begin);
    table.add("last_use", l.last_use - l.begin);
    table.add("reusable", l.reusable < 0 ? -1 : l.reusable - l.begin);
    table.add("block", texts.number(block_text(t, l.block)));
    table.add("opened_by", or_none(l.opened_by));
    table.add("last_by", or_none(l.last_by));
    table.add("joined", static_cast<std::int64_t>(l.count));
    before = &l;
  }
  Json j = {{"count", t.tenancies.size()}};
  j.update(table.json());
  return j;
}

Json counter_json(const timing::Counter& c) {
  Column at, value;
  Time before = 0;
  for (const timing::Counter::Point& p : c.points) {
    at.push_back(p.at - before), value.push_back(p.value);
    before = p.at;
  }
  return {{"name", c.name}, {"unit", c.unit}, {"device", c.device}, {"core", c.core},
          {"most", c.most}, {"at", at},       {"value", value}};
}

}  // namespace

Json to_columns(const Timeline& t) {
  Texts texts;
  Json j = {{"count", t.bars.size()}, {"texts", Json::array()}};
  j["bars"] = bars_json(t, texts);
  j["contents"] = contents_json(t, texts);
  Table arrows;
  std::size_t count = 0;
  for (const timing::Arrow& a : t.arrows)
    if (a.copy != kNone && a.wait != kNone) arrows.add("copy", a.copy), arrows.add("wait", a.wait), ++count;
  j["arrows"] = {{"count", count}};
  j["arrows"].update(arrows.json());
  j["counters"] = Json::array();
  for (const timing::Counter& c : t.counters) j["counters"].push_back(counter_json(c));
  j["texts"] = texts.all();
  return j;
}

}  // namespace millrace::view
