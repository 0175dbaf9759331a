// SPDX-License-Identifier: Apache-2.0
#include "millrace/native.h"

#include "api/prepared.h"
#include "target/cpu/device.h"
#include "target/cpu/runner.h"

namespace millrace {

struct NativeKernel::State {
  std::unique_ptr<cpu::Runner> runner;
  bool in_place = false;  // pipelines of the kernel see their blocks where they lie
};

namespace {

// With direct movement pipelines need no windows, where that makes no difference.
std::unique_ptr<const api::Executable> traced(const Kernel& kernel, const std::vector<Array>& like,
                                              const NativeOptions& options, bool& in_place) {
  if (options.movement == Movement::kDirect) {
    auto executable = api::prepared(kernel, like, true);
    in_place = cpu::touches_arrays(executable->program);
    if (cpu::blocks_in_place_are_safe(executable->program)) return executable;
  }
  in_place = false;
  return api::prepared(kernel, like);
}

}  // namespace

NativeKernel::NativeKernel(const Kernel& kernel, const std::vector<Array>& like, const NativeOptions& options) {
  State state;
  const auto executable = traced(kernel, like, options, state.in_place);
  state.runner = std::make_unique<cpu::Runner>(executable->program, executable->inputs, executable->outputs, options);
  state_ = std::make_shared<State>(std::move(state));
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
std::vector<std::string> NativeKernel::movement() const {
  std::vector<std::string> sentences = state_->runner->movement();
  if (state_->in_place)
    sentences.emplace_back(
        "pipelines of the kernel: no copies of blocks that lie whole in an array. The body sees them there: no DMA "
        "moves these arrays, and none has two names");
  return sentences;
}

}  // namespace millrace
