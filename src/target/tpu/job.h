// SPDX-License-Identifier: Apache-2.0
// What a worker is asked and what it answers, as JSON files in a folder that the two share:
//   job.json      the question
//   program.mlir  the StableHLO program (of a run also baseline.mlir, in0.npy, ...; out0.npy, ... come back)
//   stage         how far it is, a word a line
//   words         what it and the plugin printed
//   answer.json   the answer; a worker that dies leaves none
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "target/tpu/compile_options.h"
#include "target/tpu/plugin.h"

namespace millrace::target {

struct CompileJob {
  std::string library;   // path
  std::string topology;  // "v5e:2x2"
  std::vector<CompileFlag> flags = {};
  int repeat = 1;  // compiles the same so often
};

// An array at the door of a program that is run.
struct ArrayType {
  DType dtype;
  Shape shape;
};

struct RunJob {
  std::string library;
  std::string platform;                         // that the client must have: "tpu"
  std::vector<std::string> programs;            // files in the folder; all take the same inputs
  std::vector<ArrayType> inputs;                // in0.npy, ...
  std::vector<std::vector<ArrayType>> outputs;  // of each program: PROGRAM.out0.npy, ...
  int warm_ups = 5, samples = 0;                // samples 0: each runs once, untimed
};

struct Answer {
  std::optional<PjrtFault> fault;  // what the plugin refused with
  std::string stage;               // the last one: "initialise", "topology", "compile", ...
  std::string refused;             // why the plugin could not be used at all; else empty
  bool refused_user = false;       // ... and whether the file was to blame, rather than its version
  std::int32_t api_minor = 0;      // of PJRT 0.x
  std::uint64_t table_bytes = 0;
  std::map<std::string, std::string> plugin;  // its attributes
  double load_seconds = 0, initialise_seconds = 0;
  std::vector<double> compile_seconds;  // one a compile (compile job) or program (run job)
  std::optional<std::int64_t> code_bytes;

  // Of a run.
  std::string platform, platform_version, device_kind;
  std::vector<std::vector<double>> milliseconds;  // by program, by sample
};

void write_job(const std::filesystem::path& folder, const CompileJob& job);
void write_job(const std::filesystem::path& folder, const RunJob& job);

// One of the two. Error(kUser) where job.json is none.
struct Job {
  std::optional<CompileJob> compile;
  std::optional<RunJob> run;
};
Job read_job(const std::filesystem::path& folder);

void write_answer(const std::filesystem::path& folder, const Answer& answer);
// Nothing where there is none, or where it does not read: whoever wrote it was no worker of ours any more.
std::optional<Answer> read_answer(const std::filesystem::path& folder);

}  // namespace millrace::target
