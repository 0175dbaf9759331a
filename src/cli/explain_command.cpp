// SPDX-License-Identifier: Apache-2.0
// `millrace explain`: what a finding's id means.
#include <memory>
#include <ostream>
#include <string>

#include "cli/app.h"
#include "report/explain.h"

namespace millrace::cli {

void add_explain(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "explain", "Say what a finding means, and how it is mended.",
                                  "  millrace explain race.read-write");
  const auto id = std::make_shared<std::string>();
  command.add_option("ID", *id, "The id of a finding; without one, all ids are listed");
  command.callback([&context, id] { context.out << (id->empty() ? report::explain_all() : report::explain(*id)); });
}

}  // namespace millrace::cli
