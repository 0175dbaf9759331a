// SPDX-License-Identifier: Apache-2.0
#include "lab/evidence.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>
#include <system_error>

#include "lab/figures.h"
#include "lab/transcript.h"
#include "millrace/error.h"
#include "millrace/file.h"
#include "plan/bars.h"

namespace millrace::lab {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw Error(ErrorCode::kUser, fmt::format("cannot write {}: {}", path.string(), reason));
}

void create_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) refuse(folder, fault.message());
}

// A run's name as part of a file name: letters and digits, with a dash for whatever lies between them.
std::string file_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      result += c;
    } else if (!result.empty() && result.back() != '-') {
      result += '-';
    }
  }
  if (result.ends_with('-')) result.pop_back();
  return result;
}

}  // namespace

void require_folder(const fs::path& folder) {
  std::error_code fault;
  if (fs::exists(folder, fault) && !fs::is_directory(folder, fault)) refuse(folder, "it is not a folder");
}

void write_evidence(const LabReport& report, const fs::path& folder) {
  require_folder(folder);
  create_folder(folder / "inputs");
  create_folder(folder / "outputs");
  for (const NamedPair& input : report.inputs) {
    write_npy(folder / "inputs" / (file_name(input.name) + ".x.npy"), input.pair.x);
    write_npy(folder / "inputs" / (file_name(input.name) + ".y.npy"), input.pair.y);
  }
  for (const Experiment& experiment : report.experiments) {
    for (const LabRun& run : experiment.runs) {
      write_npy(folder / "outputs" / fmt::format("{}.{}.npy", experiment.id, file_name(run.name)), run.output);
    }
  }
  write_whole_file(folder / "environment.json", environment_json(report.environment).dump(2) + "\n");
  write_whole_file(folder / "figures.json", figures(report).dump(2) + "\n");
  const std::string answers = predictions(report);
  if (!answers.empty()) write_whole_file(folder / "predictions.md", answers);
  if (report.tiles) {
    write_whole_file(folder / "figures.svg", plan::to_svg(*report.tiles));
    write_whole_file(folder / "figures-narrow.svg", plan::to_svg(*report.tiles, plan::kNarrow));
  }
  for (const Picture& picture : report.pictures) write_whole_file(folder / picture.file, picture.content);
  write_whole_file(folder / "transcript.txt", transcript(report));
}

}  // namespace millrace::lab
