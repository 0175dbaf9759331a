// SPDX-License-Identifier: Apache-2.0
// A check for people: the place first, then why, then the usual mend; the last line says what the verdict covers.
#pragma once

#include <string>

#include "report/checked.h"

namespace millrace::report {

// `colour`: with the terminal's colours.
std::string to_text(const Checked& checked, bool colour);

// "clean. ..." or "2 errors, 1 warning. ...", and the schedules.
std::string summary(const Checked& checked);

}  // namespace millrace::report
