// SPDX-License-Identifier: Apache-2.0
// Arrays of the caller's, seen from here.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "front/stablehlo.h"
#include "millrace/array.h"
#include "millrace/c_api.h"

namespace millrace::c_api {

// Error(kUser) for a dtype that is none or a shape that no array has; `what` opens the sentence.
front::Tensor tensor_of(const millrace_array& array, const std::string& what);

Array copy_of(const millrace_array& array, const std::string& what);

// Dtype and shape fit, as `tensor_of` saw them.
void copy_to(const Array& from, const millrace_array& to);

}  // namespace millrace::c_api
