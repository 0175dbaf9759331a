// SPDX-License-Identifier: Apache-2.0
// A check as JSON: docs/schema/finding.schema.json.
#pragma once

#include <nlohmann/json.hpp>

#include "report/checked.h"

namespace millrace::report {

nlohmann::ordered_json to_json(const Finding& finding);  // what it has no value for is left out
nlohmann::ordered_json to_json(const checkers::WaitSite& wait);
nlohmann::ordered_json to_json(const Checked& checked);

std::string name_of(Severity severity);  // "error"
std::string name_of(Verdict verdict);    // "clean"
std::string name_of(State state);        // "new", "updated", "unchanged": SARIF's words

}  // namespace millrace::report
