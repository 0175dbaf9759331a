// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/checking.h"
#include "bench/compared.h"
#include "bench/compiled_axpy.h"
#include "bench/door.h"
#include "bench/exploring.h"
#include "bench/simulated_axpy.h"
#include "lab/environment.h"
#include "millrace/error.h"

namespace millrace::bench {

namespace {

using Progress = std::function<void(const std::string&)>;

void native(const Helpers&, const Progress& progress, Measured& out) {
  for (const Workload& w : all_workloads()) {
    progress(fmt::format("{} of {} steps against native code", w.name, w.steps));
    out.pairings.push_back(against_native(w));
  }
}

bool has_peer(const Helpers& helpers, Measured& out) {
  if (helpers.peer.empty() && out.notes.empty())
    out.notes.emplace_back(
        "no rows against JAX: no --peer was given (`make test-jax` installs JAX, then `make bench` "
        "gives it)");
  return !helpers.peer.empty();
}

void jax(const Helpers& helpers, const Progress& progress, Measured& out) {
  if (!has_peer(helpers, out)) return;
  Peer peer(helpers.peer);
  for (const Workload& w : all_workloads()) {
    progress(fmt::format("{} of {} steps against JAX", w.name, w.steps));
    out.pairings.push_back(against_peer(w, peer));
  }
}

void jax_checks(const Helpers& helpers, const Progress& progress, Measured& out) {
  if (!has_peer(helpers, out)) return;
  Peer peer(helpers.peer);
  progress("checks against JAX's race detector");
  out.pairings.push_back(check_against_peer(peer, 512));
}

void door(const Helpers& helpers, const Progress& progress, Measured& out) {
  if (helpers.door.empty()) {
    out.notes.emplace_back(
        "no rows of the JAX door: no --door was given (`make python-env` makes its environment, then "
        "`make bench` gives it)");
    return;
  }
  for (Pairing& p : of_door(helpers.door, progress)) out.pairings.push_back(std::move(p));
}

void libtpu(const Helpers& helpers, const Progress&, Measured& out) {
  if (helpers.worker.empty()) return;
  try {
    out.pairings.push_back(compiled_axpy(helpers.worker));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kUnsupported) throw;
    out.notes.push_back("no row of the TPU compiler: libtpu was not found (`make libtpu` installs it)");
  }
}

template <auto run>
void of_few(const Helpers&, const Progress&, Measured& out) {
  for (Pairing& p : run()) out.pairings.push_back(std::move(p));
}

struct Entry {
  std::string name;
  void (*run)(const Helpers& helpers, const Progress& progress, Measured& out);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"native", native},
      {"in-place", of_few<axpy_against_native_in_place>},
      {"steps", of_few<steps_against_few_steps>},
      {"checks", of_few<check_against_run>},
      {"explore", of_few<exploring>},
      {"jax", jax},
      {"jax-checks", jax_checks},
      {"door", door},
      {"libtpu", libtpu},
  };
  return all;
}

nlohmann::json json_of(const Spread& s) { return {{"min", s.min}, {"median", s.median}, {"max", s.max}}; }

}  // namespace

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Entry& e : entries()) all.push_back(e.name);
  return all;
}

Measured run(const std::vector<std::string>& wanted, const Helpers& helpers,
             const std::function<void(const std::string&)>& progress) {
  for (const std::string& w : wanted) {
    const auto all = names();
    if (std::find(all.begin(), all.end(), w) == all.end())
      throw Error(ErrorCode::kUser, fmt::format("there is no benchmark `{}`; there are {}", w, fmt::join(all, ", ")));
  }
  Measured out;
  for (const Entry& e : entries()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), e.name) == wanted.end()) continue;
    progress(e.name);
    e.run(helpers, progress, out);
  }
  return out;
}

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

std::string to_text(const Measured& measured) {
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
  return {{"schema", 1},
          {"execution", "measured"},
          {"device", lab::host_cpu()},
          {"pairings", std::move(list)},
          {"notes", measured.notes}};
}

}  // namespace millrace::bench
