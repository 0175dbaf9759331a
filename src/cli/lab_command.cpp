// SPDX-License-Identifier: Apache-2.0
// `millrace lab`: reads the matrices, has src/lab do its work, prints and keeps what it found.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/build_info.h"
#include "cli/lab_page.h"
#include "front/module_file.h"
#include "lab/compiled_for.h"
#include "lab/evidence.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "lab/learner.h"
#include "lab/on_tpu.h"
#include "lab/transcript.h"
#include "millrace/file.h"
#include "plan/chip.h"

namespace millrace::cli {
namespace {

struct LabOptions {
  std::string program = "pipelined", mode = "simulate";
  std::string x, y, block, dtype, out, answers, libtpu;  // empty: not given
  std::vector<std::string> compiled_for;
  int buffers = 2;
  bool synchronous = false, json = false, step = false;
};

lab::Configuration configuration_of(const LabOptions& options) {
  lab::Configuration c;
  c.program = lab::program_named(options.program);
  c.mode = lab::mode_named(options.mode);
  if (c.program == lab::Program::kBlocked) c.block = lab::kBlockedBlock;
  if (!options.block.empty()) c.block = plan::parse_extent(options.block, "block");
  c.input_slots = options.buffers;
  c.synchronous = options.synchronous;
  return c;
}

// What the rest of the command line says is judged before the files are read.
lab::LabRequest request_of(const LabOptions& options) {
  lab::LabRequest request;
  request.configuration = configuration_of(options);
  lab::require_configuration(request.configuration);
  std::optional<DType> dtype;
  if (!options.dtype.empty()) dtype = lab::lab_dtype_named(options.dtype);
  request.dtype = dtype.value_or(DType::f32);
  if (options.x.empty() != options.y.empty()) {
    throw Error(ErrorCode::kUser, fmt::format("--{} needs --{} too: the lab adds two matrices",
                                              options.x.empty() ? "y" : "x", options.x.empty() ? "x" : "y"));
  }
  if (!options.x.empty()) request.given = lab::Pair{read_npy(options.x, dtype), read_npy(options.y, dtype)};
  return request;
}

// Answers come from the file, else from the terminal; the sections go to `results`.
std::unique_ptr<lab::Learner> learner_of(const LabOptions& options, Context& context, std::ostream& results) {
  if (!options.step) {
    if (!options.answers.empty()) throw Error(ErrorCode::kUser, "--answers goes with --step");
    return nullptr;
  }
  if (!options.answers.empty())
    return std::make_unique<lab::WrittenLearner>(lab::parse_answers(front::read_file(options.answers), options.answers),
                                                 options.answers, results);
  if (!isatty(STDIN_FILENO))
    throw Error(ErrorCode::kUser, "--step asks questions, and there is no terminal: give --answers FILE");
  return std::make_unique<lab::AskingLearner>(std::cin, context.err, results);
}

// Nothing is written before there is a result, and no receipt of one that is not the oracle's.
void run_on_tpu(const lab::LabRequest& request, const LabOptions& options, Context& context) {
  const lab::DeviceSettings settings{
      target::library_to_run(options.libtpu), {context.program, 600}, build_info().version};
  const lab::Pair pair = request.given.value_or(lab::lesson_pair(request.dtype));
  const lab::DeviceRun run = lab::run_on_device(request.configuration, pair, settings);
  if (!options.out.empty() && run.receipt) {
    std::filesystem::create_directories(options.out);
    write_npy(std::filesystem::path(options.out) / "output.npy", run.output);
    write_whole_file(std::filesystem::path(options.out) / "receipt.json", run.receipt->dump(2) + "\n");
  }
  const std::string text = lab::transcript(run, request.configuration);
  context.out << (options.json && run.receipt ? run.receipt->dump(2) + "\n" : text);
  context.exit_code = run.receipt ? kDone : kFound;
}

// Asked for before the lab runs: without a compiler nothing is run.
lab::CompiledPanel compiled_panel(const LabOptions& options, Context& context) {
  if (options.out.empty())
    throw Error(ErrorCode::kUser, "--compiled-for keeps what the TPU compiler says: it goes with --out");
  std::vector<std::string> chips;
  for (const std::string& chip : options.compiled_for) chips.emplace_back(plan::chip_named(chip).name);
  return lab::compile_lesson(target::find_libtpu(options.libtpu), {context.program, 600}, chips);
}

void run_lab_command(const LabOptions& options, Context& context) {
  const lab::LabRequest request = request_of(options);
  if (request.configuration.mode == lab::Mode::kTpu) return run_on_tpu(request, options, context);
  if (!options.out.empty()) lab::require_folder(options.out);
  const auto learner = learner_of(options, context, options.json ? context.err : context.out);
  std::optional<lab::CompiledPanel> panel;
  if (!options.compiled_for.empty()) panel = compiled_panel(options, context);
  const lab::LabReport report = lab::run_lab(request, build_info(), lab::simulate_axpy, learner.get());
  if (!options.out.empty()) {
    lab::write_evidence(report, options.out);
    write_lab_page(request, panel, options.out);
  }
  if (panel) {
    write_whole_file(std::filesystem::path(options.out) / "compiled_for.txt", lab::to_text(*panel));
    write_whole_file(std::filesystem::path(options.out) / "compiled_for.json", lab::to_json(*panel).dump(2) + "\n");
  }
  if (options.json) {
    context.out << lab::figures(report).dump(2) << "\n";
  } else {
    context.out << (learner ? lab::closing(report) : lab::transcript(report));
  }
  for (const std::string& failure : report.failures()) context.err << "millrace: lab: " << failure << "\n";
  context.exit_code = report.passed() ? kDone : kFound;
}

// An empty argument would read as an option that was not given.
std::string not_empty(const std::string& argument) { return argument.empty() ? "must not be empty" : ""; }

}  // namespace

void add_lab(CLI::App& app, Context& context) {
  CLI::App& command = add_command(app, "lab", "Run the tiled 2 * x + y, pipelined, against its oracle.",
                                  "  millrace lab\n  millrace lab --step --out evidence\n  millrace lab --x x.npy --y "
                                  "y.npy --buffers 3 --out evidence");
  const auto options = std::make_shared<LabOptions>();
  command.add_option("--program", options->program, "pipelined or blocked (default pipelined)");
  command.add_option("--x", options->x, "Matrix x, a .npy file; without it the lesson's matrix and experiments");
  command.add_option("--y", options->y, "Matrix y, a .npy file");
  command.add_option("--block", options->block, "Tile, ROWSxCOLUMNS (default 8x128; blocked: 2x4)");
  command.add_option("--buffers", options->buffers, "Slots of each input, 2 or 3 (default 2)");
  command.add_flag("--synchronous", options->synchronous, "Await every copy at once");
  command.add_option("--dtype", options->dtype, "f32 or bf16 (default: as the files are; f32)");
  command.add_option("--mode", options->mode, "simulate or tpu (default simulate)");
  command
      .add_option("--compiled-for", options->compiled_for,
                  "With --out: also compile the lesson's tiles for these chips (v5e,v6e,tpu7x)")
      ->delimiter(',');
  command.add_option("--libtpu", options->libtpu, "The TPU's library (default as in `compile`)");
  command.add_option("--out", options->out, "Keep transcript, environment, arrays and figures in this folder");
  command.add_flag("--step", options->step, "One experiment at a time: predict first, then see");
  command.add_option("--answers", options->answers,
                     "With --step: predictions, lines `ID: ANSWER`, in place of a terminal");
  command.add_flag("--json", options->json, "Print JSON");
  for (const char* name : {"--x", "--y", "--block", "--dtype", "--out", "--answers", "--libtpu"})
    command.get_option(name)->check(not_empty);
  command.callback([&context, options] { run_lab_command(*options, context); });
}

}  // namespace millrace::cli
