// SPDX-License-Identifier: Apache-2.0
// What came out of a case against what its case.json says.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "millrace/array.h"
#include "millrace/report.h"

namespace millrace::front {

// Empty where all elements agree: |got - right| <= atol + rtol * |right|; with both 0 the values are the same. +0 is
// -0, and any NaN is any NaN. Else how many differ, and the first of them.
std::string compare_arrays(const Array& got, const Array& right, double rtol, double atol);

struct Comparison {
  std::vector<std::string> wrong;    // the case fails
  std::vector<std::string> inexact;  // found, but not in every detail
};

// Reported errors against expected findings, one to one: id, memory, access and place of each side, else the step,
// block or semaphore; which schedules. What else a finding says is compared too, and told as inexact.
Comparison compare_findings(const std::vector<Finding>& reported, const nlohmann::json& expected);

}  // namespace millrace::front
