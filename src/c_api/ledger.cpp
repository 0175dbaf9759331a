// SPDX-License-Identifier: Apache-2.0
#include "c_api/ledger.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "millrace/file.h"
#include "report/json.h"
#include "report/text.h"

namespace millrace::c_api {

namespace {

using Json = nlohmann::ordered_json;

// By what a finding is told apart from others at the same call, whatever it says in detail.
std::string identity(const Finding& f) {
  const Side none;
  const Side &first = f.first ? *f.first : none, &second = f.second ? *f.second : none;
  std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", f.id, f.memory, first.access, first.at, second.access,
                                second.at, f.semaphore, f.at);
  for (const Waiter& w : f.waiters) key += fmt::format("|{} {} {}", w.semaphore, w.at, w.device);
  return key;
}

// "kernel-script.py-15": what any file system takes.
std::string file_name_of(const Caller& caller) {
  std::string name = caller.kernel;
  if (!caller.called_at.empty()) name += "-" + std::filesystem::path(caller.called_at[0]).filename().string();
  constexpr std::size_t kMost = 120;
  if (name.size() > kMost) name.erase(kMost / 2, name.size() - kMost);
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
  };
  std::ranges::replace_if(name, std::not_fn(is_plain), '-');
  return name.starts_with('.') ? "-" + name : name;
}

}  // namespace

Ledger& Ledger::instance() {
  static Ledger* const ledger = new Ledger;  // threads of XLA may outlive static objects
  return *ledger;
}

Ledger::Record& Ledger::record_of(const Caller& caller) {
  const std::string key = fmt::format("{}|{}|{}|{}|{}|{}", caller.kernel, caller.kernel_at,
                                      fmt::join(caller.called_at, ","), caller.chip, caller.check, caller.devices);
  Page& page = pages_.back();
  const auto [at, is_new] = page.by_caller.emplace(key, page.records.size());
  if (is_new) page.records.emplace_back().caller = caller;
  return page.records[at->second];
}

void Ledger::add(const Caller& caller, const report::Checked& checked, bool raised) {
  const std::lock_guard lock(mutex_);
  Record& record = record_of(caller);
  ++record.runs;
  record.schedules = checked.schedules;
  record.work.steps += checked.work.steps, record.work.grid_steps += checked.work.grid_steps;
  record.work.dmas += checked.work.dmas, record.work.dma_bytes += checked.work.dma_bytes;
  pages_.back().last_run_raced = caller.asks_for_races && std::ranges::any_of(checked.findings, [](const Finding& f) {
                                   return f.id.starts_with("race.");
                                 });
  if (checked.findings.empty()) return;
  record.faulty_runs += report::new_errors(checked) > 0 ? 1 : 0;
  record.raised |= raised;
  report::Checked fresh = checked;
  fresh.findings.clear();
  for (const Finding& f : checked.findings) {
    if (!record.known.insert(identity(f)).second) continue;
    record.findings.push_back(report::to_json(f));
    fresh.findings.push_back(f);
  }
  if (!fresh.findings.empty()) record.text += report::to_text(fresh, false);
}

void Ledger::add(const Caller& caller, const Error& error) {
  const std::lock_guard lock(mutex_);
  ++record_of(caller).errors[{static_cast<int>(error.code()), error.what()}];
}

bool Ledger::is_drawn(const Caller& caller) {
  const std::lock_guard lock(mutex_);
  return !record_of(caller).svg.empty();
}

void Ledger::add_drawing(const Caller& caller, std::string svg) {
  const std::lock_guard lock(mutex_);
  record_of(caller).svg = std::move(svg);
}

// Empty where this run needs none.
std::string Ledger::report_file_of(const std::string& folder, const Caller& caller, bool faulty) {
  const std::lock_guard lock(mutex_);
  Record& record = record_of(caller);
  if (!record.report.empty() && (record.report_is_of_fault || !faulty)) return "";
  record.report_is_of_fault = faulty;
  if (!record.report.empty()) return record.report;
  const std::string name = (std::filesystem::path(folder) / file_name_of(caller)).string();
  reports_.insert((std::filesystem::path(folder) / "index.html").string());  // whoever asked may write a table of them
  record.report = name + ".html";
  for (int n = 2; !reports_.insert(record.report).second; ++n) record.report = fmt::format("{}-{}.html", name, n);
  return record.report;
}

void Ledger::write_report(const std::string& folder, const Caller& caller, bool faulty,
                          const std::function<std::string()>& page) {
  const std::lock_guard lock(reports_mutex_);
  const std::string file = report_file_of(folder, caller, faulty);
  if (!file.empty()) write_whole_file(file, page());
}

Json Ledger::json_of(const Record& r) {
  Json json{{"kernel", r.caller.kernel}, {"kernel_at", r.caller.kernel_at}, {"called_at", r.caller.called_at}};
  json["chip"] = r.caller.chip, json["check"] = r.caller.check, json["devices"] = r.caller.devices;
  json["runs"] = r.runs, json["faulty_runs"] = r.faulty_runs;
  json["findings"] = r.findings, json["text"] = r.text, json["raised"] = r.raised, json["svg"] = r.svg;
  json["report"] = r.report;
  json["errors"] = Json::array();
  for (const auto& [error, times] : r.errors)
    json["errors"].push_back({{"code", error.first}, {"message", error.second}, {"times", times}});
  const report::Schedules& s = r.schedules;
  json["schedules"] = {{"classes", s.classes}, {"explored", s.explored}, {"complete", s.complete}, {"for", s.of}};
  json["work"] = {{"steps", r.work.steps}, {"dmas", r.work.dmas}, {"bytes", r.work.dma_bytes}};
  return json;
}

std::string Ledger::json_of(const Page& page) {
  Json json{{"calls", Json::array()}};
  for (const Record& r : page.records) json["calls"].push_back(json_of(r));
  return json.dump();
}

void Ledger::begin() {
  const std::lock_guard lock(mutex_);
  pages_.emplace_back();
}

std::string Ledger::end() {
  const std::lock_guard lock(mutex_);
  std::string text = json_of(pages_.back());
  pages_.pop_back();
  if (pages_.empty()) pages_.emplace_back();  // the first one is only emptied
  return text;
}

std::string Ledger::json() const {
  const std::lock_guard lock(mutex_);
  return json_of(pages_.back());
}

bool Ledger::last_run_raced() const {
  const std::lock_guard lock(mutex_);
  return pages_.back().last_run_raced;
}

}  // namespace millrace::c_api
