// SPDX-License-Identifier: Apache-2.0
// `millrace version`: the build and the machine, for people or as
//   {"schema": 1, "version", "commit", "compiler", "llvm", "host_cpu", "targets": ["simulator"]}
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/app.h"
#include "cli/build_info.h"
#include "lab/environment.h"

namespace millrace::cli {
namespace {

void print_json(std::ostream& out) {
  const lab::BuildInfo build = build_info();
  const nlohmann::ordered_json json = {
      {"schema", 1},        {"version", build.version},    {"commit", build.commit},  {"compiler", build.compiler},
      {"llvm", build.llvm}, {"host_cpu", lab::host_cpu()}, {"targets", {"simulator"}}};
  out << json.dump(2) << "\n";
}

void print_text(std::ostream& out) {
  const lab::BuildInfo build = build_info();
  out << fmt::format("{}\ncompiler: {}\nLLVM: {}\nhost CPU: {}\ntargets: simulator\n", version_line(), build.compiler,
                     build.llvm, lab::host_cpu());
}

}  // namespace

void add_version(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "version", "Tell version, commit, compiler, LLVM, host CPU and targets.",
                                  "  millrace version --json");
  const auto json = std::make_shared<bool>(false);
  command.add_flag("--json", *json, "Print JSON");
  command.callback([&context, json] { *json ? print_json(context.out) : print_text(context.out); });
}

}  // namespace millrace::cli
