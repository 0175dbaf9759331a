// SPDX-License-Identifier: Apache-2.0
#include "dsl/fail.h"

namespace millrace::dsl {

SourcePlace place_of(const Site& at) {
  std::string file = at.file_name();
  // No column: compilers differ in it, and a module must not depend on the compiler.
  return {file.substr(file.find_last_of('/') + 1), static_cast<int>(at.line()), 0};
}

void fail(const Site& at, const std::string& sentence) { throw Error(ErrorCode::kUser, sentence, place_of(at)); }

void fail_unsupported(const Site& at, const std::string& sentence) {
  throw Error(ErrorCode::kUnsupported, sentence, place_of(at));
}

}  // namespace millrace::dsl
