// SPDX-License-Identifier: Apache-2.0
// The timeline as one page that opens from disk: the findings, the picture, and tables with the same numbers. It asks
// nothing of any other place, runs no script, and is light or dark as its reader prefers.
#pragma once

#include <string>

#include "timing/timeline.h"

namespace millrace::view {

std::string to_html(const timing::Timeline& timeline);

}  // namespace millrace::view
