// SPDX-License-Identifier: Apache-2.0
// `millrace inspect`: what a module says of itself.
#include <memory>
#include <ostream>
#include <string>

#include "cli/app.h"
#include "front/inspect.h"
#include "front/limits.h"
#include "millrace/error.h"

namespace millrace::cli {
namespace {

struct InspectCommand {
  std::string path, kernel;
  std::size_t outputs = 1;
  bool json = false, limits = false;
};

void run_inspect(const InspectCommand& options, Context& context) {
  if (options.limits) {
    context.out << front::limits_page();
    return;
  }
  if (options.path.empty()) throw Error(ErrorCode::kUser, "name a module: millrace inspect MODULE");
  const front::Kernel kernel = front::read_kernel_file(options.path, options.kernel);
  const front::Inspection inspection = front::inspect(kernel, options.outputs);
  context.out << (options.json ? front::to_json(inspection).dump(2) + "\n" : front::to_text(inspection));
}

}  // namespace

void add_inspect(CLI::App& app, Context& context) {
  CLI::App& command =
      add_command(app, "inspect", "Show a module's operands, grid, memories, DMAs and operations.",
                  "  millrace inspect kernel.mlirbc\n  millrace inspect exported.mlir --kernel 1 --json");
  const auto options = std::make_shared<InspectCommand>();
  command.add_option("MODULE", options->path, "A Mosaic module (text or bytecode), a StableHLO text, or a case folder");
  command.add_option("--kernel", options->kernel, "Which kernel of a StableHLO text: its number from 0, or its name");
  command.add_option("--outputs", options->outputs, "How many of the operands are outputs, the last ones (default 1)")
      ->check(CLI::PositiveNumber);
  command.add_flag("--limits", options->limits, "Print what is not supported (docs/limits.md)");
  command.add_flag("--json", options->json, "Print JSON");
  command.callback([&context, options] { run_inspect(*options, context); });
}

}  // namespace millrace::cli
