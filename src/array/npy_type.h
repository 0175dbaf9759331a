// SPDX-License-Identifier: Apache-2.0
// Between numpy's names of element types ('<f4') and ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "millrace/dtype.h"

namespace millrace {

// The type of the elements of a file with this descr, where the reader asks for `as`. Error(kUser), opened by `name`,
// for a type that is not read, and for another than was asked for; it says how to convert.
DType npy_type(const std::string& descr, std::optional<DType> as, const std::string& name);

// The descr that a file of such elements is written with.
std::string_view npy_descr(DType type);

}  // namespace millrace
