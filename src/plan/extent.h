// SPDX-License-Identifier: Apache-2.0
// Rows and columns, written "17x257": how shapes and blocks are given on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace millrace::plan {

struct Extent {
  std::int64_t rows = 0, columns = 0;  // elements
  friend bool operator==(const Extent&, const Extent&) = default;
};

// Reads "ROWSxCOLUMNS", both at least 1. `what` opens the sentence of the Error(kUser): "block", "--shape".
Extent parse_extent(std::string_view text, std::string_view what);

std::string to_string(Extent extent);  // "17x257"

}  // namespace millrace::plan
