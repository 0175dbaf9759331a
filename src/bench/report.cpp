// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/checking.h"
#include "bench/compared.h"
#include "bench/compiled_axpy.h"
#include "bench/door.h"
#include "bench/exploring.h"
#include "bench/reporting.h"
#include "bench/simulated_axpy.h"
#include "lab/environment.h"
#include "millrace/error.h"

namespace millrace::bench {

namespace {

using Progress = std::function<void(const std::string&)>;

void native(const Settings&, const Progress& progress, Measured& out) {
  for (const Workload& w : all_workloads()) {
    progress(fmt::format("{} of {} steps against native code", w.name, w.steps));
    out.pairings.push_back(against_native(w));
  }
}

bool has_peer(const Settings& settings, Measured& out) {
  if (settings.peer.empty() && out.notes.empty())
    out.notes.emplace_back(
        "no rows against JAX: no --peer was given (`make test-jax` installs JAX, then `make bench` "
        "gives it)");
  return !settings.peer.empty();
}

void jax(const Settings& settings, const Progress& progress, Measured& out) {
  if (!has_peer(settings, out)) return;
  Peer peer(settings.peer);
  for (const Workload& w : all_workloads()) {
    progress(fmt::format("{} of {} steps against JAX", w.name, w.steps));
    out.pairings.push_back(against_peer(w, peer));
  }
}

void jax_checks(const Settings& settings, const Progress& progress, Measured& out) {
  if (!has_peer(settings, out)) return;
  Peer peer(settings.peer);
  progress("checks against JAX's race detector");
  out.pairings.push_back(check_against_peer(peer, 512));
}

void door(const Settings& settings, const Progress& progress, Measured& out) {
  if (settings.door.empty()) {
    out.notes.emplace_back(
        "no rows of the JAX door: no --door was given (`make python-env` makes its environment, then "
        "`make bench` gives it)");
    return;
  }
  for (Pairing& p : of_door(settings.door, progress)) out.pairings.push_back(std::move(p));
}

void libtpu(const Settings& settings, const Progress&, Measured& out) {
  if (settings.worker.empty()) return;
  try {
    for (Pairing& p : compiled_axpy(settings.worker)) out.pairings.push_back(std::move(p));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    out.notes.push_back("no row of the TPU compiler: libtpu was not found (`make libtpu` installs it)");
  }
}

template <auto run>
void of_few(const Settings&, const Progress&, Measured& out) {
  for (Pairing& p : run()) out.pairings.push_back(std::move(p));
}

// All on as many cores, which those that are started inherit.
class OnCores {
 public:
  explicit OnCores(int count) {
    CPU_ZERO(&before_);
    if (count == 0 || ::sched_getaffinity(0, sizeof before_, &before_) != 0 || CPU_COUNT(&before_) <= count) return;
    cpu_set_t few;
    CPU_ZERO(&few);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&few) < count; ++i)
      if (CPU_ISSET(i, &before_)) CPU_SET(i, &few);
    narrowed_ = ::sched_setaffinity(0, sizeof few, &few) == 0;
  }
  ~OnCores() {
    if (narrowed_) ::sched_setaffinity(0, sizeof before_, &before_);
  }
  OnCores(const OnCores&) = delete;
  OnCores& operator=(const OnCores&) = delete;

 private:
  cpu_set_t before_;
  bool narrowed_ = false;
};

void run_contests(const std::vector<std::string>& rows, const Settings& settings, const Progress& progress,
                  Measured& out) {
  if (rows.empty()) return;
  const OnCores on(settings.threads);
  target::Together threads(settings.threads > 0 ? settings.threads : target::cores());
  std::unique_ptr<Peer> peer;
  if (!settings.cpu_peer.empty())
    peer = std::make_unique<Peer>(settings.cpu_peer);
  else
    out.notes.emplace_back("no numpy and no JAX beside the CPU target: no --cpu-peer was given (as for --peer)");
  for (const std::string& name : rows) {
    progress(name);
    out.contests.push_back(contest(cpu_row(name, settings.sizes), threads, peer.get()));
  }
}

struct Entry {
  std::string name;
  void (*run)(const Settings& settings, const Progress& progress, Measured& out);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"native", native},
      {"in-place", of_few<axpy_against_native_in_place>},
      {"steps", of_few<steps_against_few_steps>},
      {"checks", of_few<check_against_run>},
      {"explore", of_few<exploring>},
      {"report", of_few<reporting>},
      {"jax", jax},
      {"jax-checks", jax_checks},
      {"door", door},
      {"libtpu", libtpu},
  };
  return all;
}

std::vector<std::string> with_groups(const std::vector<std::string>& wanted) {
  std::vector<std::string> out;
  for (const std::string& w : wanted) {
    if (w != "cpu")
      out.push_back(w);
    else
      for (const std::string& name : cpu_row_names()) out.push_back(name);
  }
  return out;
}

nlohmann::json json_of(const Spread& s) { return {{"min", s.min}, {"median", s.median}, {"max", s.max}}; }

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Entry& e : entries()) all.push_back(e.name);
  all.emplace_back("cpu");
  for (const std::string& name : cpu_row_names()) all.push_back(name);
  return all;
}

Measured run(const std::vector<std::string>& wanted, const Settings& settings, const Progress& progress) {
  const auto all = names();
  for (const std::string& w : wanted) {
    if (std::find(all.begin(), all.end(), w) == all.end())
      throw Error(ErrorCode::kUser, fmt::format("there is no benchmark `{}`; there are {}", w, fmt::join(all, ", ")));
  }
  const std::vector<std::string> single = with_groups(wanted);
  const auto is_wanted = [&](const std::string& name) {
    return single.empty() || std::find(single.begin(), single.end(), name) != single.end();
  };
  Measured out;
  for (const Entry& e : entries()) {
    if (!is_wanted(e.name)) continue;
    progress(e.name);
    e.run(settings, progress, out);
  }
  std::vector<std::string> rows;
  for (const std::string& name : cpu_row_names())
    if (is_wanted(name)) rows.push_back(name);
  run_contests(rows, settings, progress, out);
  return out;
}

namespace {

std::string ratio_text(const Pairing& p) {
  if (p.baseline.empty()) {
    const std::string aim = p.aim_us > 0 ? fmt::format(" (aim: at most {})", p.aim_us) : "";
    return fmt::format("{:.3g} us a {}{}", p.candidate_ms.median * 1000 / p.candidate_work, p.unit, aim);
  }
  const auto aim = [&](const std::string& said) { return p.aim > 0 ? fmt::format(" (aim: {})", said) : ""; };
  if (p.speedup)
    return fmt::format("{:.0f} [{:.0f}, {:.0f}] times as fast{}", 1 / p.ratio.median, 1 / p.ratio.max, 1 / p.ratio.min,
                       aim(fmt::format("at least {:.0f}", 1 / p.aim)));
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]{}", p.ratio.median, p.ratio.min, p.ratio.max,
                     aim(fmt::format("at most {}", p.aim)));
}

std::string pairings_text(const Measured& measured) {
  const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
  std::string text = fmt::format(
      "Measured on {} ({} CPUs). Time of one thread; ratios are medians of pairs run in turn; [least, most].\n"
      "A ratio is the first line's time by the second's. Simulating copies every tile in and out and keeps order and\n"
      "semaphores exactly; native loops do the arithmetic alone.\n\n",
      lab::host_cpu(), cpu.num_cpus);
  for (const Pairing& p : measured.pairings) {
    text += fmt::format("{}: {}\n", p.name, ratio_text(p));
    const auto side = [&](const std::string& what, const Spread& ms, double work) {
      text += fmt::format("  {:9.3f} ms a run{}: {}\n", ms.median,
                          work > 1 ? fmt::format(" = {:.3f} us a {}", ms.median * 1000 / work, p.unit) : "", what);
    };
    side(p.candidate, p.candidate_ms, p.candidate_work);
    if (!p.baseline.empty()) side(p.baseline, p.baseline_ms, p.baseline_work);
    text += fmt::format("  {} warm-ups, {} {}\n", p.warm_ups, p.pairs, p.baseline.empty() ? "runs" : "pairs");
  }
  return text;
}

std::string contests_text(const Measured& measured) {
  std::string text = fmt::format(
      "Measured on {}: kernels at native speed. Time on the wall, medians; GB/s count what must pass once. Of all in\n"
      "one process and in turn; numpy and JAX in another, in the same turns, and they make a new output each time.\n\n",
      lab::host_cpu());
  for (const Contest& c : measured.contests) text += to_text(c);
  return text;
}

}  // namespace

std::string to_text(const Measured& measured) {
  std::string text;
  if (!measured.pairings.empty() || measured.contests.empty()) text += pairings_text(measured);
  if (!measured.contests.empty()) text += (text.empty() ? "" : "\n") + contests_text(measured);
  for (const std::string& note : measured.notes) text += note + "\n";
  return text;
}

nlohmann::json to_json(const Measured& measured) {
  nlohmann::json list = nlohmann::json::array();
  for (const Pairing& p : measured.pairings)
    list.push_back({{"name", p.name},
                    {"candidate", p.candidate},
                    {"baseline", p.baseline},
                    {"unit", p.unit},
                    {"candidate_work", p.candidate_work},
                    {"baseline_work", p.baseline_work},
                    {"warm_ups", p.warm_ups},
                    {"pairs", p.pairs},
                    {"candidate_ms", json_of(p.candidate_ms)},
                    {"baseline_ms", json_of(p.baseline_ms)},
                    {"ratio", json_of(p.ratio)},
                    {"aim", p.aim},
                    {"aim_us", p.aim_us}});
  nlohmann::json contests = nlohmann::json::array();
  for (const Contest& c : measured.contests) contests.push_back(nlohmann::json(to_json(c)));
  return {{"schema", 1},
          {"execution", "measured"},
          {"device", lab::host_cpu()},
          {"pairings", std::move(list)},
          {"contests", std::move(contests)},
          {"notes", measured.notes}};
}

}  // namespace millrace::bench
