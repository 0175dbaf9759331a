// SPDX-License-Identifier: Apache-2.0
// `millrace convert`: reads, verifies and writes a module.
#include <memory>
#include <ostream>
#include <string>

#include "cli/app.h"
#include "front/convert.h"

namespace millrace::cli {
namespace {

struct ConvertCommand {
  std::string in, out, kernel, form, names = "stable";
  int serde_version = 9;
};

}  // namespace

void add_convert(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "convert", "Read a module in any form, verify it, and write it in another.",
                                  "  millrace convert kernel.mlirbc kernel.mlir --names plain\n"
                                  "  millrace convert exported.mlir kernel.mlirbc --kernel softmax");
  const auto options = std::make_shared<ConvertCommand>();
  command.add_option("IN", options->in, "A Mosaic module (text or bytecode), a StableHLO text, or a case folder")
      ->required();
  command.add_option("OUT", options->out, "The file to write")->required();
  command.add_option("--kernel", options->kernel, "Which kernel of a StableHLO text: its number from 0, or its name");
  command.add_option("--form", options->form, "text or bytecode (default: text where OUT ends in .mlir)");
  command.add_option("--names", options->names, "plain or stable, as JAX serialises (default stable)");
  command.add_option("--serde-version", options->serde_version, "Of stable names (default 9, the only one written)");
  command.callback([&context, options] {
    if (options->form.empty()) options->form = options->out.ends_with(".mlir") ? "text" : "bytecode";
    front::convert(options->in, options->out, options->kernel, options->form, options->names, options->serde_version);
    context.out << options->out << "\n";
  });
}

}  // namespace millrace::cli
