// SPDX-License-Identifier: Apache-2.0
// `millrace compile`: the real TPU compiler's answer. Runs nothing.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/build_info.h"
#include "cli/module_options.h"
#include "front/compile_report.h"
#include "millrace/error.h"
#include "millrace/file.h"
#include "plan/chip.h"

namespace millrace::cli {
namespace {

struct CompileCommand {
  ModuleOptions module;
  std::vector<std::string> input_shapes;
  std::string chip = "v5e", libtpu, dump, receipt;
  double timeout = 120;
  bool all_chips = false, json = false;
};

std::vector<plan::Chip> chips_of(const CompileCommand& options) {
  return options.all_chips ? plan::chips() : std::vector<plan::Chip>{plan::chip_named(options.chip)};
}

// Of several chips each has a folder of its own in the one that was named.
std::filesystem::path kept(const CompileCommand& options, const plan::Chip& chip) {
  if (options.dump.empty()) return {};
  return options.all_chips ? std::filesystem::path(options.dump) / chip.name : std::filesystem::path(options.dump);
}

void run_compile(const CompileCommand& options, Context& context) {
  const std::vector<plan::Chip> chips = chips_of(options);
  std::vector<Shape> shapes;
  for (const std::string& shape : options.input_shapes) shapes.push_back(shape_named("--input-shape", shape));
  const front::KernelRequest request = request_of(options.module);
  const front::KernelToCompile kernel = front::read_to_compile(request.module, request.pick, request.wish, shapes);
  front::CompileReport report{build_info().version, target::find_libtpu(options.libtpu), kernel, {}};
  for (const plan::Chip& chip : chips) {
    const front::CompileSettings settings{report.library, {context.program, options.timeout}, kept(options, chip)};
    report.chips.push_back(front::compile_kernel(kernel, chip, settings));
  }
  const std::string json = front::to_json(report).dump(2) + "\n";
  if (!options.receipt.empty()) write_whole_file(options.receipt, json);
  context.out << (options.json ? json : front::to_text(report));
  const bool accepted = std::all_of(report.chips.begin(), report.chips.end(), [](const front::CompiledKernel& k) {
    return k.compiled.verdict == target::Verdict::kAccepted;
  });
  context.exit_code = accepted ? kDone : kFound;
}

}  // namespace

void add_compile(CLI::App& app, Context& context) {
  CLI::App& command =
      add_command(app, "compile", "Ask the real TPU compiler (libtpu, where you have it); runs nothing.",
                  "  millrace compile kernel.mlirbc --chip v5e\n"
                  "  millrace compile exported.mlir --kernel 1 --all-chips");
  const auto options = std::make_shared<CompileCommand>();
  add_call_options(command, options->module,
                   "A Mosaic module, as text or bytecode, a StableHLO text, or a case folder");
  command
      .add_option("--input-shape", options->input_shapes,
                  "An input's shape, ROWSxCOLUMNS; repeat for all (default: what its blocks cover)")
      ->allow_extra_args(false);
  auto* chip = command.add_option("--chip", options->chip, "v2, v3, v4, v5e, v5p, v6e or tpu7x (default v5e)");
  command.add_flag("--all-chips", options->all_chips, "Compile for each of them, and print a table")->excludes(chip);
  command.add_option("--libtpu", options->libtpu,
                     "The compiler's library (default: MILLRACE_LIBTPU, or that of a Python)");
  command.add_option("--timeout", options->timeout, "Seconds after which a compile is given up (default 120)")
      ->check(CLI::Range(0.1, 86400.0));
  command.add_option("--dump", options->dump, "Keep program, dumps and messages in this new folder");
  command.add_option("--receipt", options->receipt, "Also write the JSON into this file");
  command.add_flag("--json", options->json, "Print JSON (docs/schema/receipt.schema.json)");
  command.callback([&context, options] { run_compile(*options, context); });
}

}  // namespace millrace::cli
