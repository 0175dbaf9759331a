// SPDX-License-Identifier: Apache-2.0
// The kinds of fault that Millrace tells apart, and the one exception that carries them.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include "millrace/export.h"

namespace millrace {

// The values are the exit codes of the command line.
enum class ErrorCode {
  kFinding = 1,      // the kernel itself is faulty: it deadlocks, or leaves its memory
  kUser = 2,         // arguments, files, shapes, kernels that break a stated rule
  kUnsupported = 3,  // a real thing that Millrace does not do yet, or a target that is not there
  kInternal = 4,     // a bug of Millrace
};

// Where in somebody's source a thing stands. An empty file means that the place is not known.
struct SourcePlace {
  std::string file;
  int line = 0;
  int column = 0;

  static SourcePlace of(const std::source_location& l) {
    return {l.file_name(), static_cast<int>(l.line()), static_cast<int>(l.column())};
  }
};

// what() is a whole sentence for people, opened by `file:line: ` where the place is known.
class MILLRACE_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence, SourcePlace place = {});
  ErrorCode code() const { return code_; }
  const SourcePlace& place() const { return place_; }

 private:
  ErrorCode code_;
  SourcePlace place_;
};

}  // namespace millrace
