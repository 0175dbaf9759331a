// SPDX-License-Identifier: Apache-2.0
#include "millrace/native.h"

#include "api/prepared.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"

namespace millrace {

struct NativeKernel::State {
  std::unique_ptr<cpu::Runner> runner;
};

NativeKernel::NativeKernel(const Kernel& kernel, const std::vector<Array>& like, const NativeOptions& options) {
  const auto executable = api::prepared(kernel, like);
  state_ = std::make_shared<State>(
      State{std::make_unique<cpu::Runner>(executable->program, executable->inputs, executable->outputs, options)});
}

std::vector<Array> NativeKernel::run(const std::vector<Array>& inputs) const {
  std::vector<Array> outputs;
  run_into(inputs, outputs);
  return outputs;
}

void NativeKernel::run_into(const std::vector<Array>& inputs, std::vector<Array>& outputs) const {
  state_->runner->run(inputs, outputs);
}

double NativeKernel::compile_seconds() const { return state_->runner->compile_seconds(); }
bool NativeKernel::from_cache() const { return state_->runner->from_cache(); }
std::string NativeKernel::device() const { return cpu::device_name(); }
std::vector<std::string> NativeKernel::movement() const { return state_->runner->movement(); }

}  // namespace millrace
