// SPDX-License-Identifier: Apache-2.0
// The command line: results go to `out`, messages to `err`, and the exit code is the one that docs promise.
#pragma once

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>

namespace millrace::cli {

enum ExitCode { kDone = 0, kFound = 1, kUserError = 2, kUnsupportedThing = 3, kOurBug = 4 };

// What a subcommand is given; it sets the exit code where its work is done but its answer is no.
struct Context {
  std::ostream& out;
  std::ostream& err;
  std::string program = {};  // that may be started again as a worker; empty where this process is not `millrace`
  int exit_code = kDone;
};

// Runs one command line, program name included. Throws nothing.
int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const std::string& program = "");

// A subcommand whose help opens with `example`.
CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& what, const std::string& example);

// Each adds itself to the app. The context outlives the parse.
void add_bench(CLI::App& app, Context& context);
void add_case(CLI::App& app, Context& context);
void add_check(CLI::App& app, Context& context);
void add_compile(CLI::App& app, Context& context);
void add_convert(CLI::App& app, Context& context);
void add_diff(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_inspect(CLI::App& app, Context& context);
void add_lab(CLI::App& app, Context& context);
void add_run(CLI::App& app, Context& context);
void add_tiles(CLI::App& app, Context& context);
void add_target_worker(CLI::App& app, Context& context);
void add_view(CLI::App& app, Context& context);
void add_version(CLI::App& app, Context& context);

}  // namespace millrace::cli
