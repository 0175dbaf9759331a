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
  CLI::App& command =
      add_command(app, "bench", "Measure this machine: what simulating costs, and how fast kernels are on its CPU.",
                  "  millrace bench\n  millrace bench native --json\n"
                  "  millrace bench cpu --threads 1\n"
                  "  millrace bench jax --peer 'build-jax/venv/bin/python src/bench/jax_peer.py'\n"
                  "  millrace bench door --door 'build-python/venv/bin/python src/bench/door.py'");
  struct Options {
    std::vector<std::string> names;
    bench::Settings settings;
    bool small = false, json = false;
  };
  const auto options = std::make_shared<Options>();
  command.add_option("NAME", options->names, fmt::format("Which ({}; default all)", fmt::join(bench::names(), ", ")));
  command.add_option("--peer", options->settings.peer,
                     "A command that starts a program to be compared with (src/bench/peer.h)");
  command.add_option("--cpu-peer", options->settings.cpu_peer, "The same for the CPU target (src/bench/cpu_peer.py)");
  command.add_option("--door", options->settings.door,
                     "A command that starts what measures the JAX door (src/bench/door.h)");
  command
      .add_option("--threads", options->settings.threads,
                  "So many threads for the CPU target and all that it is held against (default: one a core)")
      ->check(CLI::Range(1, 1024));
  command.add_flag("--small", options->small, "Small sizes of the CPU target's kernels, to see that all is there");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] {
    const auto progress = [&](const std::string& name) { context.err << "millrace: measuring " << name << "\n"; };
    options->settings.worker = context.program;
    options->settings.sizes = options->small ? bench::Sizes::kSmall : bench::Sizes::kFull;
    const bench::Measured measured = bench::run(options->names, options->settings, progress);
    context.out << (options->json ? bench::to_json(measured).dump(2) + "\n" : bench::to_text(measured));
  });
}

}  // namespace millrace::cli
