// SPDX-License-Identifier: Apache-2.0
// `millrace bench`: measurements of this machine.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "bench/report.h"
#include "cli/app.h"

namespace millrace::cli {

void add_bench(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "bench", "Measure this machine: what simulating costs, as ratios.",
                                  "  millrace bench\n  millrace bench axpy --json");
  struct Options {
    std::vector<std::string> names;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("NAME", options->names, fmt::format("Which ({}; default all)", fmt::join(bench::names(), ", ")));
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] {
    const auto pairings = bench::run(
        options->names, [&](const std::string& name) { context.err << "millrace: measuring " << name << "\n"; });
    context.out << (options->json ? bench::to_json(pairings).dump(2) + "\n" : bench::to_text(pairings));
  });
}

}  // namespace millrace::cli
