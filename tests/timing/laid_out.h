// SPDX-License-Identifier: Apache-2.0
// Kernels and cases laid out in modeled time, with round costs: a byte a picosecond from HBM, a DMA 1 ns on its way.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "millrace/language.h"
#include "timing/build.h"

namespace millrace::test {

struct Laid {
  timing::Trace trace;
  timing::Costs costs;
  timing::Times times;
  timing::Timeline timeline;
};

// 1 byte/ps, latency 1000 ps, control 0, computing so fast that it takes a few picoseconds; replaced by `given`.
timing::Costs round_costs(const std::map<std::string, double>& given = {});

Laid laid_out(const Kernel& kernel, const std::vector<Array>& inputs, const timing::Costs& costs = round_costs(),
              const std::string& schedule = "canonical");
// Checked, so that the faults are in the timeline.
Laid laid_out(const std::filesystem::path& folder, const timing::Costs& costs = round_costs(),
              const std::string& schedule = "canonical");

std::filesystem::path small_case(const std::string& name);  // "faults_small/ring_complete"

// Two slots by hand: loads run one ahead, a store of the same slot is awaited at once. `n` blocks of 8 by 128.
Kernel double_buffer(int n);
Array rows_of(int n);  // what it takes

}  // namespace millrace::test
