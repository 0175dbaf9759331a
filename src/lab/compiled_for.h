// SPDX-License-Identifier: Apache-2.0
// The lesson's kernel as the real TPU compiler schedules it: tile shapes against bundles a step, passes and VMEM, chips
// side by side. Nothing is run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "lab/contract.h"
#include "target/tpu/compile.h"

namespace millrace::lab {

inline constexpr Extent kCompiledMatrix{1024, 2048};  // f32

struct CompiledRow {
  Extent block;
  std::int64_t modeled_vmem = 0;           // (2 * input slots + output slots) tiles, bytes
  std::vector<target::Compiled> compiled;  // by chip
};

struct CompiledPanel {
  std::string libtpu;              // its version, or empty
  std::vector<std::string> chips;  // "v5e", "v6e", "tpu7x"
  std::vector<CompiledRow> rows;
};

// Two slots, buffered; tiles from 8x128 to 256x1024. Errors as target::compile.
CompiledPanel compile_lesson(const target::Library& library, const target::Worker& worker,
                             const std::vector<std::string>& chips);

std::string to_text(const CompiledPanel& panel);
// {"schema": 1, "execution": "compiled", "device": null, "libtpu", "of", "shape", "dtype", "boundary",
//  "tiles": [{"name", "block", "modeled_vmem", "chips": [{"compiled_for", "verdict", "reason", "step_bundles", "trips",
//                                                         "vmem", "modeled_vmem"}]}]}
nlohmann::ordered_json to_json(const CompiledPanel& panel);

}  // namespace millrace::lab
