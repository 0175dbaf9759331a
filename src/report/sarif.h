// SPDX-License-Identifier: Apache-2.0
// A check as SARIF 2.1.0 (OASIS), the format in which code scanners hand over their results.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "report/checked.h"
#include "report/place.h"

namespace millrace::report {

// `version`: of Millrace, "0.1.0".
nlohmann::ordered_json to_sarif(const Checked& checked, const std::string& version, const Naming& naming);

// A file's name as a URI: relative as it is, absolute as file://...; what a URI may not hold is escaped.
std::string uri_of(const std::string& file);

}  // namespace millrace::report
