// SPDX-License-Identifier: Apache-2.0
// A case folder as a kernel with its arrays: what its case.json says stands for the options of a command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "front/case_folder.h"
#include "front/run_kernel.h"

namespace millrace::front {

// One of the case's arrays as its file has it. Error(kUser) where the shape is not the one in case.json.
Array case_array(const CaseFolder& c, const CaseOperand& operand, std::size_t device);

// How a case calls its kernel: arrays, their types, and what is said of them.
struct CaseCall {
  Plan plan;
  std::vector<Array> inputs;    // those of device 0, then those of device 1, ...; grid bounds are in the plan
  std::vector<Tensor> in, out;  // of one device
};

// Error(kUser) where the arrays do not fit case.json, or those without a file take more than max_bytes (0:
// default_max_bytes).
CaseCall call_of(const CaseFolder& c, std::uint64_t max_bytes);

// Error(kUser) where the folder's files do not fit together, or more memory is needed than max_bytes (0:
// default_max_bytes).
LoadedKernel load_case(const CaseFolder& c, std::uint64_t max_bytes);

bool is_case_folder(const std::filesystem::path& path);

// Where request.module is a case folder: its chip (unless the request names one), cores and devices become the
// request's. Error(kUser) where the request says what the case says.
void complete_from_case(KernelRequest& request);

}  // namespace millrace::front
