// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: a Python dictionary literal with exactly the keys descr, fortran_order and shape.
#pragma once

#include <string>
#include <string_view>

#include "millrace/array.h"

namespace millrace {

struct NpyDict {
  std::string descr;  // as in '<f4'
  bool fortran_order = false;
  Shape shape;  // no dimension negative or above 2^62, at most kMaxRank of them
};

// Error(kUser), opened by `name`, for anything but such a dictionary followed by white space, and for a structured
// descr, a negative dimension, or more than kMaxRank dimensions.
NpyDict parse_npy_dict(std::string_view text, const std::string& name);

// Bytes of a file fit to stand in a message: what is not printable ASCII as \xNN, and no more than 60 bytes.
std::string printable(std::string_view bytes);

}  // namespace millrace
