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
                                  "  millrace bench\n  millrace bench native --json\n"
                                  "  millrace bench jax --peer 'build-jax/venv/bin/python src/bench/jax_peer.py'\n"
                                  "  millrace bench door --door 'build-python/venv/bin/python src/bench/door.py'");
  struct Options {
    std::vector<std::string> names;
    std::string peer, door;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("NAME", options->names, fmt::format("Which ({}; default all)", fmt::join(bench::names(), ", ")));
  command.add_option("--peer", options->peer, "A command that starts a program to be compared with (src/bench/peer.h)");
  command.add_option("--door", options->door, "A command that starts what measures the JAX door (src/bench/door.h)");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] {
    const auto progress = [&](const std::string& name) { context.err << "millrace: measuring " << name << "\n"; };
    const bench::Measured measured =
        bench::run(options->names, {options->peer, options->door, context.program}, progress);
    context.out << (options->json ? bench::to_json(measured).dump(2) + "\n" : bench::to_text(measured));
  });
}

}  // namespace millrace::cli
