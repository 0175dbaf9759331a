// SPDX-License-Identifier: Apache-2.0
// What the TPU compiler's message says: the reason on its first line, and the place in the kernel's source.
#pragma once

#include <string>

#include "millrace/error.h"

namespace millrace::target {

struct Diagnosis {
  std::string reason;     // the first line, without the words that open every such message
  std::string error;      // "E2003", where there is a number
  std::string operation;  // the operation involved, as the compiler prints it; cut after 300 characters
  SourcePlace place;      // no file: the message names none
};

Diagnosis diagnosis_of(const std::string& message);

// "invalid argument" of absl's status codes.
std::string status_name(int code);

}  // namespace millrace::target
