// SPDX-License-Identifier: Apache-2.0
#include "front/run_on_cpu.h"

#include <chrono>

#include "array/sha256.h"
#include "millrace/error.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"

namespace millrace::front {

CpuRun run_on_cpu(const CpuRequest& request) {
  KernelRequest plain = request.kernel;
  plain.target = "simulator";  // what is asked of the kernel's arrays does not depend on the target
  if (plain.schedule != "canonical")
    throw Error(ErrorCode::kUser, "--schedule is for the simulator; on the CPU, events come in the order of the CPU");
  const LoadedKernel loaded = load_kernel(plain);
  const api::Executable& executable = *loaded.executable;
  cpu::Runner runner(executable.program, executable.inputs, executable.outputs, request.options);
  CpuRun run;
  run.kernel = executable.program.name, run.device = cpu::device_name();
  run.load_seconds = loaded.seconds, run.compile_seconds = runner.compile_seconds();
  run.from_cache = runner.from_cache(), run.movement = runner.movement();
  const auto began = std::chrono::steady_clock::now();
  runner.run(loaded.inputs, run.outputs);
  run.run_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  run.threads = runner.threads();
  for (const Array& a : run.outputs)
    if (request.kernel.hash) run.sha256.push_back(sha256_of(a));
  for (std::size_t i = 0; i < request.kernel.output_files.size(); ++i) {
    run.files.push_back(request.kernel.output_files[i]);
    write_npy(run.files.back(), run.outputs.at(i));
  }
  return run;
}

}  // namespace millrace::front
