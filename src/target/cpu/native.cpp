// SPDX-License-Identifier: Apache-2.0
#include "millrace/native.h"

#include "millrace/error.h"

namespace millrace {

struct NativeKernel::State {
  std::string device;
};

NativeKernel::NativeKernel(const Kernel&, const std::vector<Array>&, const NativeOptions&) {
  throw Error(ErrorCode::kUnsupported, "the CPU target is not there yet");
}

std::vector<Array> NativeKernel::run(const std::vector<Array>& inputs) const {
  std::vector<Array> outputs;
  run_into(inputs, outputs);
  return outputs;
}

void NativeKernel::run_into(const std::vector<Array>&, std::vector<Array>&) const {}
double NativeKernel::compile_seconds() const { return 0; }
bool NativeKernel::from_cache() const { return false; }
std::string NativeKernel::device() const { return state_->device; }
std::vector<std::string> NativeKernel::movement() const { return {}; }

}  // namespace millrace
