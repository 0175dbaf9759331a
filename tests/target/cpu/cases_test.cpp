// SPDX-License-Identifier: Apache-2.0
// Every correct case: the CPU gives the simulator's bits, and the case's own right outputs within its tolerance.
// -DMILLRACE_CASES=FOLDER adds those of FOLDER/kernels.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "api/simulate.h"
#include "front/case_compare.h"
#include "front/case_load.h"
#include "front/case_run.h"
#include "millrace/error.h"
#include "target/cpu/runner.h"

namespace millrace::cpu {
namespace {

namespace fs = std::filesystem;

bool multiplies(const program::Program& p) {
  for (const program::Instruction& i : p.code)
    if (i.op == program::Op::kMatmul) return true;
  return false;
}

// What is wrong with the CPU's outputs of a case; empty: nothing.
std::string complaint(const front::CaseFolder& c, const front::LoadedKernel& loaded, const NativeOptions& options) {
  const api::Executable& e = *loaded.executable;
  Runner runner(e.program, e.inputs, e.outputs, options);
  std::vector<Array> outputs, again;
  runner.run(loaded.inputs, outputs);
  runner.run(loaded.inputs, again);
  const api::Simulation right = api::simulate(e, loaded.inputs, {});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!same_bits(outputs[i], again[i])) return "a second run gives other bits";
    if (!multiplies(e.program) && !same_bits(outputs[i], right.outcome.outputs[i]))
      return "not the simulator's bits: out" + std::to_string(i) + ": " +
             front::compare_arrays(outputs[i], right.outcome.outputs[i], 0, 0);
    if (c.outputs[i].files.empty()) continue;
    const std::string why = front::compare_arrays(outputs[i], front::case_array(c, c.outputs[i], 0), c.rtol, c.atol);
    if (!why.empty()) return "out" + std::to_string(i) + ": " + why;
  }
  return {};
}

std::vector<fs::path> folders() {
  std::vector<std::string> roots;
  for (const char* root : {MILLRACE_SOURCE_DIR "/tests/cases/kernels_small", MILLRACE_SOURCE_DIR "/tests/cases/own",
                           MILLRACE_SOURCE_DIR "/tests/cases/two_cores", MILLRACE_CASES "/kernels"})
    if (fs::is_directory(root)) roots.emplace_back(root);
  return front::case_folders(roots);
}

void expect_all(const NativeOptions& options) {
  int ran = 0;
  for (const fs::path& folder : folders()) {
    const front::CaseFolder c = front::read_case_folder(folder);
    if (c.faulty) continue;
    SCOPED_TRACE(folder.string());
    try {
      EXPECT_EQ(complaint(c, front::load_case(c, 0), options), "");
      ++ran;
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();  // nothing is refused
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GT(ran, 80);
}

TEST(CpuCases, OneThreadGivesTheSimulatorsBits) { expect_all({.threads = 1}); }
TEST(CpuCases, ThreadsGiveTheSimulatorsBits) { expect_all({.threads = 3}); }
// A kernel that is faulty gives numbers or ends with a finding; nothing breaks.
TEST(CpuCases, FaultyKernelsEndWithNumbersOrAFinding) {
  int stopped = 0, ran = 0;
  for (const fs::path& folder : front::case_folders({MILLRACE_SOURCE_DIR "/tests/cases/faults_small"})) {
    SCOPED_TRACE(folder.string());
    const front::CaseFolder c = front::read_case_folder(folder);
    try {
      const front::LoadedKernel loaded = front::load_case(c, 0);
      std::vector<Array> outputs;
      Runner(loaded.executable->program, loaded.executable->inputs, loaded.executable->outputs, {.threads = 1})
          .run(loaded.inputs, outputs);
      ++ran;
    } catch (const Error& error) {
      EXPECT_NE(error.code(), ErrorCode::kInternal) << error.what();
      if (error.code() == ErrorCode::kFinding) ++stopped;
    }
  }
  EXPECT_GT(stopped, 3);
  EXPECT_GT(ran, 3);
}

TEST(CpuCases, ExplicitCopiesGiveTheSimulatorsBits) { expect_all({.threads = 1, .movement = Movement::kCopies}); }
TEST(CpuCases, ExplicitCopiesOfThreadsGiveTheSimulatorsBits) {
  expect_all({.threads = 3, .movement = Movement::kCopies});
}

}  // namespace
}  // namespace millrace::cpu
