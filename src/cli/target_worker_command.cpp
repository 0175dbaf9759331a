// SPDX-License-Identifier: Apache-2.0
// `millrace target-worker`: the process in which `millrace compile` and runs on a TPU load a plugin. Not for people.
#include <memory>
#include <string>

#include "cli/app.h"
#include "target/tpu/worker.h"

namespace millrace::cli {

void add_target_worker(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "target-worker", "Carry out the job in a folder (started by other commands).",
                                  "  millrace target-worker FOLDER");
  command.group("");  // not listed
  const auto folder = std::make_shared<std::string>();
  command.add_option("FOLDER", *folder, "Holds job.json")->required();
  command.callback([&context, folder] { context.exit_code = target::work(*folder); });
}

}  // namespace millrace::cli
