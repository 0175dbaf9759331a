// SPDX-License-Identifier: Apache-2.0
// One kernel under two schedules: the first element that differs, and who wrote it in each.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "front/run_kernel.h"
#include "millrace/run.h"

namespace millrace::front {

struct ScheduleRun {
  std::string schedule;
  std::vector<Finding> stops;    // why the kernel did not end
  double value = 0;              // of the element
  std::optional<Writer> writer;  // who wrote it; nobody: it is as it was when the kernel began
};

struct ScheduleDiff {
  std::string kernel;
  ScheduleRun a, b;
  bool compared = false;  // both ended
  bool differ = false;    // in an element, or in whether they end
  std::size_t output = 0;
  DType dtype = DType::f32;
  std::vector<std::int64_t> element;         // the first, outputs in their order, each in row-major order
  std::int64_t different = 0, elements = 0;  // of that output
};

ScheduleDiff diff_schedules(const KernelRequest& request, const std::string& a, const std::string& b);

std::string to_text(const ScheduleDiff& diff);
nlohmann::ordered_json to_json(const ScheduleDiff& diff);

}  // namespace millrace::front
