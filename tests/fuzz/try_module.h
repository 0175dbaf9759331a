// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

namespace millrace::fuzz {

void try_module(std::string_view bytes);    // text or bytecode
void try_stablehlo(std::string_view text);  // each of its calls
void try_call(std::string_view json);       // as the backend_config of a call
void try_npy(std::string_view bytes);
void try_case(std::string_view json);

// Whether the action came to its end. Errors that blame the input are answers as well; others go on.
bool answered(const std::function<void()>& action);

}  // namespace millrace::fuzz
