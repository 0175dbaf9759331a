// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/simulated_axpy.h"
#include "lab/environment.h"
#include "millrace/error.h"

namespace millrace::bench {

namespace {

struct Entry {
  std::string name;
  std::vector<Pairing> (*run)();
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {"axpy", simulated_against_native},
      {"steps", steps_against_few_steps},
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

std::vector<Pairing> run(const std::vector<std::string>& wanted,
                         const std::function<void(const std::string&)>& progress) {
  for (const std::string& w : wanted) {
    const auto all = names();
    if (std::find(all.begin(), all.end(), w) == all.end())
      throw Error(ErrorCode::kUser, fmt::format("there is no benchmark `{}`; there are {}", w, fmt::join(all, ", ")));
  }
  std::vector<Pairing> out;
  for (const Entry& e : entries()) {
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), e.name) == wanted.end()) continue;
    progress(e.name);
    for (Pairing& p : e.run()) out.push_back(std::move(p));
  }
  return out;
}

std::string to_text(const std::vector<Pairing>& pairings) {
  const benchmark::CPUInfo& cpu = benchmark::CPUInfo::Get();
  std::string text = fmt::format(
      "Measured on {} ({} CPUs). Time of one thread; ratios are medians of pairs run in turn; [least, most].\n\n",
      lab::host_cpu(), cpu.num_cpus);
  for (const Pairing& p : pairings) {
    text += fmt::format("{}: {:.2f} [{:.2f}, {:.2f}]{}\n", p.name, p.ratio.median, p.ratio.min, p.ratio.max,
                        p.aim > 0 ? fmt::format(" (aim: at most {})", p.aim) : "");
    const auto side = [&](const std::string& what, const Spread& ms, double work) {
      text += fmt::format("  {:9.3f} ms a run{}: {}\n", ms.median,
                          work > 1 ? fmt::format(" = {:.3f} us a {}", ms.median * 1000 / work, p.unit) : "", what);
    };
    side(p.candidate, p.candidate_ms, p.candidate_work);
    side(p.baseline, p.baseline_ms, p.baseline_work);
    text += fmt::format("  {} warm-ups, {} pairs\n", p.warm_ups, p.pairs);
  }
  return text;
}

nlohmann::json to_json(const std::vector<Pairing>& pairings) {
  nlohmann::json list = nlohmann::json::array();
  for (const Pairing& p : pairings)
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
                    {"aim", p.aim}});
  return {{"schema", 1}, {"execution", "measured"}, {"device", lab::host_cpu()}, {"pairings", std::move(list)}};
}

}  // namespace millrace::bench
