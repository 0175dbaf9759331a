// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/build_info.h"
#include "millrace/error.h"

namespace millrace::cli {
namespace {

// Help that shows how a command is used before it says what it is. The example travels as CLI11's footer.
class ExampleFirst : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return fmt::format("Example:\n{}\n\n{}", app->get_footer(), CLI::Formatter::make_description(app));
  }
  std::string make_footer(const CLI::App*) const override { return ""; }
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (!command->get_group().empty()) names.push_back(command->get_name());  // hidden ones have no group
  }
  return names;
}

int say(std::ostream& err, std::string_view message, int code) {
  err << "millrace: " << message << "\n";
  return code;
}

// CLI11 would only say that a word was not expected.
bool names_no_command(const CLI::App& app, int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const auto named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  return app.get_subcommands(named).empty();
}

const CLI::App& chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : *chosen.front();
}

int refuse_arguments(const CLI::App& app, const CLI::ParseError& fault, std::ostream& err) {
  const CLI::App& command = chosen_command(app);
  const std::string name = &command == &app ? "millrace" : "millrace " + command.get_name();
  return say(err, fmt::format("{} (see `{} --help`)", fault.what(), name), kUserError);
}

int parse_and_run(CLI::App& app, Context& context, int argc, const char* const* argv) {
  if (names_no_command(app, argc, argv)) {
    return say(context.err,
               fmt::format("there is no command `{}`; there are {} (see `millrace --help`)", argv[1],
                           fmt::join(command_names(app), ", ")),
               kUserError);
  }
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      const std::string names = fmt::format("{}", fmt::join(command_names(app), ", "));
      return say(context.err, fmt::format("name a command; there are {} (see `millrace --help`)", names), kUserError);
    }
  } catch (const CLI::CallForVersion& version) {
    context.out << version.what() << "\n";
  } catch (const CLI::CallForHelp&) {
    const CLI::App& command = chosen_command(app);
    context.out << command.help(&command == &app ? "" : "millrace");
  } catch (const CLI::ParseError& fault) {
    return refuse_arguments(app, fault, context.err);
  }
  context.out.flush();
  if (!context.out) return say(context.err, "the result could not be written to standard output", kUserError);
  return context.exit_code;
}

std::unique_ptr<CLI::App> make_app(Context& context) {
  auto app = std::make_unique<CLI::App>("Runs, checks and shows TPU kernels without a TPU.", "millrace");
  app->formatter(std::make_shared<ExampleFirst>());
  app->footer("  millrace lab\n  millrace tiles --shape 17x257 --block 8x128 --block 16x256");
  app->set_version_flag("--version", version_line());
  add_lab(*app, context);
  add_tiles(*app, context);
  add_run(*app, context);
  add_check(*app, context);
  add_explain(*app, context);
  add_diff(*app, context);
  add_case(*app, context);
  add_inspect(*app, context);
  add_convert(*app, context);
  add_compile(*app, context);
  add_bench(*app, context);
  add_view(*app, context);
  add_version(*app, context);
  add_target_worker(*app, context);
  return app;
}

}  // namespace

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& what, const std::string& example) {
  CLI::App& command = *app.add_subcommand(name, what);
  command.footer(example);
  return command;
}

int run_command_line(int argc, const char* const* argv, std::ostream& out, std::ostream& err,
                     const std::string& program) {
  Context context{out, err, program};
  try {
    return parse_and_run(*make_app(context), context, argc, argv);
  } catch (const Error& error) {
    const bool unsupported = error.code() == ErrorCode::kUnsupported;
    return say(err,
               std::string(error.what()) + (unsupported ? "\nmillrace: docs/limits.md says what is supported" : ""),
               static_cast<int>(error.code()));
  } catch (const std::bad_alloc&) {
    return say(err, "the memory of this machine, or what this process may have of it, does not suffice", kUserError);
  } catch (const std::exception& fault) {
    return say(err, fmt::format("internal error: {}; please report it with the command line", fault.what()), kOurBug);
  }
}

}  // namespace millrace::cli
