// SPDX-License-Identifier: Apache-2.0
// A check as GitHub's workflow commands: one `::error file=...,line=...::...` a new finding, which GitHub shows beside
// the line.
#pragma once

#include <string>

#include "report/checked.h"
#include "report/place.h"

namespace millrace::report {

std::string to_github(const Checked& checked, const Naming& naming);

}  // namespace millrace::report
