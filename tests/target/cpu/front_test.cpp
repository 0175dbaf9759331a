// SPDX-License-Identifier: Apache-2.0
// `run --target cpu`: modules and case folders from files.
#include <gtest/gtest.h>

#include <filesystem>

#include "front/run_on_cpu.h"
#include "millrace/error.h"

namespace millrace::front {
namespace {

namespace fs = std::filesystem;

CpuRequest of_case(const std::string& name) {
  CpuRequest request;
  request.kernel.module = std::string(MILLRACE_SOURCE_DIR "/tests/cases/") + name;
  return request;
}

TEST(RunOnCpu, WritesWhatTheSimulatorWrites) {
  const fs::path file = fs::temp_directory_path() / "millrace_run_on_cpu.npy";
  CpuRequest request = of_case("kernels_small/edge_2d");
  request.kernel.output_files = {file.string()};
  request.kernel.hash = true;
  const CpuRun run = run_on_cpu(request);
  KernelRequest simulated = of_case("kernels_small/edge_2d").kernel;
  simulated.hash = true;
  EXPECT_EQ(run.sha256, run_kernel(simulated).sha256);
  EXPECT_TRUE(same_bits(read_npy(file), run.outputs[0]));
  EXPECT_FALSE(run.device.empty());
  fs::remove(file);
}

std::string refusal(const CpuRequest& request) {
  try {
    run_on_cpu(request);
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " " + error.what();
  }
  return "nothing";
}

TEST(RunOnCpu, RunsSeveralCores) {
  const CpuRun run = run_on_cpu(of_case("two_cores/two_cores_store_own_rows"));
  EXPECT_EQ(run.threads, 2);
  EXPECT_EQ(run.devices, 1);
}

TEST(RunOnCpu, RefusesSchedules) {
  CpuRequest request = of_case("kernels_small/edge_2d");
  request.kernel.schedule = "lazy";
  EXPECT_EQ(refusal(request).substr(0, 14), "2 --schedule i");
}

}  // namespace
}  // namespace millrace::front
